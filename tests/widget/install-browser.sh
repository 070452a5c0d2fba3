#!/bin/sh
# Install Chromium for the browser tests, or say clearly why not. Never fails: the tests skip with their reason.
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  if command -v "$name" >/dev/null; then
    echo "browser: $(command -v "$name")"
    exit 0
  fi
done
if [ -n "${PINCITE_CHROMIUM:-}" ]; then
  echo "browser: $PINCITE_CHROMIUM, named in PINCITE_CHROMIUM"
elif ! command -v apt-get >/dev/null; then
  echo "browser: none, and no apt-get to install one. Install Chromium or name one in PINCITE_CHROMIUM; its tests are skipped."
elif [ "$(id -u)" != 0 ]; then
  echo "browser: none. Install it with: sudo apt-get install chromium; until then its tests are skipped."
elif (apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium fonts-liberation) >/dev/null 2>&1; then
  echo "browser: $(command -v chromium), just installed"
else
  echo "browser: none, and apt-get could not install chromium; its tests are skipped."
fi

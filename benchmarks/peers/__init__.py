"""What pincite is compared with: small, honest pipelines that find places and know no refusal."""

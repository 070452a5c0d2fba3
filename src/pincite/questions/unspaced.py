"""Questions in Chinese, Japanese and Korean: what they are about, without the words that ask."""

import re
from typing import Final

from pincite.text.characters import is_cjk

#: What asks in Chinese, with the small words that lean on it: "是多少", "由谁", "在哪里", "几点".
_CHINESE: Final = re.compile(
    r"请问|請問|[是有在由为為要会會收需]?(?:什么时候|什麼時候|什么|什麼|多少|何时|何時|为何|為何|谁|誰|哪里|哪裡|哪儿|哪兒|哪[个個些天年位]"
    r"|怎么样|怎麼樣|怎么|怎麼|怎样|怎樣|如何|[几幾](?=[点點个個天年月日楼樓层層次人名位]))[个個名位种種钱錢]?|[吗嗎呢吧]$"
    # "the fine of the boat": the word between the two is no part of either.
    r"|(?<=..)的(?=..)"
)
#: What asks in Japanese, endings of sentences, and the particles behind a word in Kanji or Katakana.
_JAPANESE: Final = re.compile(
    r"いくら|いつ|どこ|だれ|誰|どの|どれ|どんな|どのくらい|なぜ|どう(?:して)?|何[人時個円階年日月]?|(?:でしょう|です|ます)か?$"
    r"|(?<=[\u30a0-\u30ff\u3400-\u9fff])(?:には|では|とは|から|まで|[はをにがでとのへも])"
)
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_KOREAN: Final = re.compile(
    r"(?:얼마|언제|어디|누구|무엇|뭐|몇|왜|어떻게|어느|무슨)(?:입니까|인가요|예요|이에요|에서|에|가|를|나)?|(?:입니까|인가요|있습니까|됩니까|합니까)"
)
_MARKS: Final = "？！。，、；：「」『』（）《》"


def without_asking(token: str) -> list[str]:
    """Return the parts of a run of non-blank characters that say what is asked about; other scripts stay as they are.

    >>> without_asking("渔船迟到的罚款是多少"), without_asking("駐車場の利用料金はいくらですか")
    (['渔船迟到', '罚款'], ['駐車場', '利用料金'])
    >>> without_asking("얼마입니까"), without_asking("berth")
    ([], ['berth'])
    """
    if token.isascii():
        return [token]
    if _KOREAN.fullmatch(token):
        return []
    if not any(is_cjk(char) for char in token):
        return [token]
    pattern = _JAPANESE if _KANA.search(token) else _CHINESE
    parts = (part.strip(_MARKS) for part in pattern.split(token.strip(_MARKS)))
    return [part for part in parts if part]

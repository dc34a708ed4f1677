"""A third reading of docs/evaluation.md, in another language. It needs Python's standard library alone.

RE2 is not in it: without the module `re2`, evaluating `matches` or `notMatches` raises NeedsRe2.
"""

import datetime
import hashlib
import json
import re

try:
    import re2
except ImportError:
    re2 = None


class UnknownOperator(Exception):
    """The rule that decides uses an operator of the project's own."""


class NeedsRe2(Exception):
    """The rule that decides uses an expression."""


class Unreadable(Exception):
    """An operand that its operator cannot read."""


UNKNOWN = "unknown"


def evaluate(flag, environment, context):
    """The flag's value and its cause."""
    if environment is None:
        return flag["defaultValue"], "unconfigured"
    if not environment["enabled"]:
        return flag["defaultValue"], "disabled"
    for rule in environment["rules"]:
        truth = match_rule(rule, context, flag["key"])
        if truth == UNKNOWN:
            raise UnknownOperator(rule["operator"])
        if truth:
            return rule["returnValue"], {"percentage": "share", "share": "share", "always": "always"}.get(rule["operator"], "rule")
    return flag["defaultValue"], "default"


def match_rule(rule, context, flag_key):
    try:
        return compile_condition(rule, flag_key, 1, [0])(context)
    except Unreadable:
        return False


# Conditions: a function of the context that gives True, False or UNKNOWN.


def compile_condition(condition, flag_key, depth, count):
    attribute, operator, operand = condition["attribute"], condition["operator"], condition["value"]
    if operator in ("all", "any", "none"):
        if depth > 8:
            raise Unreadable
        listed = read_conditions(operand)
        count[0] += len(listed)
        if count[0] > 1000:
            raise Unreadable
        parts = [compile_condition(part, flag_key, depth + 1, count) for part in listed]
        return lambda context: combine(operator, [part(context) for part in parts])
    if operator == "always":
        return lambda context: True
    if operator == "exists":
        return lambda context: context.get(attribute) is not None
    if operator == "notExists":
        return lambda context: context.get(attribute) is None
    test = compile_comparison(operator, operand, flag_key)
    if test is None:
        return lambda context: UNKNOWN
    return lambda context: context.get(attribute) is not None and test(context[attribute])


def read_conditions(operand):
    conditions = read_json(operand)
    if not isinstance(conditions, list) or not conditions:
        raise Unreadable
    for condition in conditions:
        if not isinstance(condition, dict):
            raise Unreadable
        if not all(isinstance(condition.get(member), str) for member in ("attribute", "operator", "value")):
            raise Unreadable
    return conditions


def combine(operator, truths):
    if operator == "all":
        return False if False in truths else UNKNOWN if UNKNOWN in truths else True
    any_of = True if True in truths else UNKNOWN if UNKNOWN in truths else False
    if operator == "any" or any_of == UNKNOWN:
        return any_of
    return not any_of


# Comparisons: a function of the attribute, which is neither missing nor null.

NEGATIONS = {"notEquals": "equals", "notContains": "contains", "notMatches": "matches", "notIn": "in"}
IGNORE_CASE = {
    name + "IgnoreCase": name
    for name in ("equals", "notEquals", "contains", "notContains", "startsWith", "endsWith", "in", "notIn")
}


def compile_comparison(operator, operand, flag_key):
    if operator in IGNORE_CASE:
        plain = IGNORE_CASE[operator]
        if plain in ("in", "notIn"):
            operand = json.dumps([lowered(text) for text in read_texts(operand)])
        comparison = compile_comparison(plain, lowered(operand), flag_key)
        return lambda value: comparison(lowered_texts(value))
    if operator in NEGATIONS:
        positive = compile_element(NEGATIONS[operator], operand)

        def negation(value):
            if isinstance(value, list):
                return not any(positive(element) for element in value)
            return text_of(value) is not None and not positive(value)

        return negation
    if operator == "semverNotEquals":
        equals = compile_element("semverEquals", operand)

        def version_not_equals(value):
            elements = value if isinstance(value, list) else [value]
            has_version = value == [] or any(version_of(element) is not None for element in elements)
            return has_version and not any(equals(element) for element in elements)

        return version_not_equals
    if operator == "percentage":
        if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", operand):
            raise Unreadable
        return compile_share(flag_key, 0.0, float(operand))
    if operator == "share":
        members = read_json(operand)
        if not isinstance(members, dict) or not isinstance(members.get("seed"), str):
            raise Unreadable
        if not is_number(members.get("from")) or not is_number(members.get("to")):
            raise Unreadable
        return compile_share(members["seed"], float(members["from"]), float(members["to"]))
    positive = compile_element(operator, operand)
    if positive is None:
        return None
    return lambda value: any(map(positive, value)) if isinstance(value, list) else positive(value)


def compile_element(operator, operand):
    """What a positive operator asks of one value."""
    if operator in TEXTS:
        return on(text_of, lambda text: TEXTS[operator](text, operand))
    if operator == "in":
        texts = read_texts(operand)
        return on(text_of, lambda text: text in texts)
    if operator == "matches":
        if re2 is None:
            raise NeedsRe2
        try:
            expression = re2.compile(operand)
        except re2.error:
            raise Unreadable
        return on(text_of, lambda text: expression.search(text) is not None)
    if operator in NUMBERS:
        number = read(number_of, operand)
        return on(number_of, lambda value: NUMBERS[operator](value, number))
    if operator in MOMENTS:
        moment = read(moment_of, operand)
        return on(moment_of, lambda value: MOMENTS[operator](value, moment))
    if operator in VERSIONS:
        is_range = operand.endswith(".*")
        version = read(version_of, operand[:-2] if is_range else operand)
        if is_range and ("-" in operand or "+" in operand):
            raise Unreadable
        order = order_in_range if is_range else order_of
        return on(version_of, lambda value: VERSIONS[operator](order(value, version)))
    return None


TEXTS = {
    "equals": lambda text, operand: text == operand,
    "contains": lambda text, operand: operand in text,
    "startsWith": lambda text, operand: text.startswith(operand),
    "endsWith": lambda text, operand: text.endswith(operand),
}
NUMBERS = {
    "greaterThan": lambda value, operand: value > operand,
    "greaterThanOrEquals": lambda value, operand: value >= operand,
    "lessThan": lambda value, operand: value < operand,
    "lessThanOrEquals": lambda value, operand: value <= operand,
}
MOMENTS = {
    "before": NUMBERS["lessThan"],
    "beforeOrEquals": NUMBERS["lessThanOrEquals"],
    "after": NUMBERS["greaterThan"],
    "afterOrEquals": NUMBERS["greaterThanOrEquals"],
}
VERSIONS = {
    "semverEquals": lambda order: order == 0,
    "semverGreaterThan": lambda order: order > 0,
    "semverGreaterThanOrEquals": lambda order: order >= 0,
    "semverLessThan": lambda order: order < 0,
    "semverLessThanOrEquals": lambda order: order <= 0,
}


def compile_share(seed, low, high):
    if not 0 <= low <= high <= 100:
        raise Unreadable

    def in_share(value):
        text = text_of(value)
        return text not in (None, "") and low * 2.0**32 <= share(seed, text) * 100 < high * 2.0**32

    return in_share


def on(reader, test):
    def test_value(value):
        result = reader(value)
        return result is not None and test(result)

    return test_value


def read(reader, operand):
    result = reader(operand)
    if result is None:
        raise Unreadable
    return result


def read_texts(operand):
    texts = read_json(operand)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Unreadable
    return texts


def lowered(text):
    """A to Z alone: `str.lower` knows other letters."""
    return re.sub("[A-Z]", lambda letter: letter.group().lower(), text)


def lowered_texts(value):
    if isinstance(value, list):
        return [lowered_texts(element) for element in value]
    text = text_of(value)
    return value if text is None else lowered(text)


def read_json(text):
    def no_constant(name):
        raise Unreadable  # NaN and Infinity are Python's own

    try:
        return json.loads(text, parse_constant=no_constant)
    except ValueError:
        raise Unreadable


# Values.


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def text_of(value):
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(float(value)) if is_number(value) else None


def number_text(number):
    """ECMAScript's Number::toString: the shortest digits that give the number back, as Python's repr finds them, too."""
    if number == 0:
        return "0"
    if number < 0:
        return "-" + number_text(-number)
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The value is 0.digits × 10^point.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    sign = "+" if point > 0 else "-"
    rest = "." + digits[1:] if len(digits) > 1 else ""
    return digits[0] + rest + "e" + sign + str(abs(point - 1))


def number_of(value):
    if is_number(value):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", value):
        return float(value)
    return None


DATE = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
TIME = r"[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"


def moment_of(value):
    if is_number(value):
        return int(value)
    match = re.fullmatch(DATE + "(?:" + TIME + ")?", value) if isinstance(value, str) else None
    if match is None:
        return None
    year, month, day = (int(field) for field in match.group(1, 2, 3))
    hour, minute, second = (int(field or 0) for field in match.group(4, 5, 6))
    offset_hour, offset_minute = (int(field or 0) for field in match.group(9, 10))
    if hour > 23 or minute > 59 or second > 59 or offset_hour > 23 or offset_minute > 59:
        return None
    try:
        # Python's calendar begins in the year 1. The year 0 is that of 2000, and 400 years have 146,097 days.
        cycles = 5 if year == 0 else 0
        day_number = datetime.date(year + cycles * 400, month, day).toordinal() - cycles * 146097 - 719163
    except ValueError:
        return None
    milliseconds = int(((match.group(7) or "") + "000")[:3])
    offset = (offset_hour * 60 + offset_minute) * (-1 if match.group(8) == "-" else 1)
    return ((day_number * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + milliseconds


def version_of(value):
    """Numbers, and the identifiers of the pre-release or None for a release."""
    text = text_of(value)
    identifiers = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
    grammar = r"v?([0-9]+(?:\.[0-9]+)*)(?:-(" + identifiers + r"))?(?:\+" + identifiers + ")?"
    match = re.fullmatch(grammar, text) if text is not None else None
    if match is None:
        return None
    return [int(number) for number in match.group(1).split(".")], match.group(2) and match.group(2).split(".")


def order_numbers(a, b):
    length = max(len(a), len(b))
    a, b = (numbers + [0] * (length - len(numbers)) for numbers in (a, b))
    return (a > b) - (a < b)


def order_in_range(version, operand):
    return order_numbers(version[0][: len(operand[0])], operand[0])


def order_of(a, b):
    numbers = order_numbers(a[0], b[0])
    if numbers != 0 or a[1] == b[1]:
        return numbers
    if a[1] is None or b[1] is None:
        return 1 if a[1] is None else -1
    # Numbers before words, fewer identifiers first.
    a, b = ([(0, int(part), "") if part.isdigit() else (1, 0, part) for part in version[1]] for version in (a, b))
    return (a > b) - (a < b)


def share(seed, text):
    # Half a surrogate pair becomes U+FFFD.
    whole = f"{seed}:{text}".encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return int.from_bytes(hashlib.sha256(whole.encode("utf-8")).digest()[:4], "big")

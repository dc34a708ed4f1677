package flagstone

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// An operator says what a comparison compares, and what it asks.
type operator struct {
	compares quantity
	asks     order // of quantities that have one
	negated  bool
	folds    bool // reads A to Z as a to z on both sides
}

// A quantity is what is compared; it decides how operands and attributes are read.
type quantity int

const (
	presence quantity = iota
	wholes            // of texts, like the next four
	parts
	starts
	ends
	lists
	expressions
	numbers
	moments
	versions
	percentages
	shares
)

// An order is a set of the ways in which an attribute may compare with an operand. None: it cannot be compared.
type order int

const (
	less order = 1 << iota
	equal
	greater
	absent
	present
)

// orderOf returns how a compares with b: not at all, if one is not a number.
func orderOf[T cmp.Ordered](a, b T) order {
	switch {
	case a < b:
		return less
	case a > b:
		return greater
	case a == b:
		return equal
	default:
		return 0
	}
}

// operators has those of docs/evaluation.md, without groups and those that end in IgnoreCase.
var operators = map[string]operator{
	"equals": {compares: wholes}, "notEquals": {compares: wholes, negated: true},
	"contains": {compares: parts}, "notContains": {compares: parts, negated: true},
	"startsWith": {compares: starts}, "endsWith": {compares: ends},
	"in": {compares: lists}, "notIn": {compares: lists, negated: true},
	"matches": {compares: expressions}, "notMatches": {compares: expressions, negated: true},
	"greaterThan": {compares: numbers, asks: greater}, "greaterThanOrEquals": {compares: numbers, asks: greater | equal},
	"lessThan": {compares: numbers, asks: less}, "lessThanOrEquals": {compares: numbers, asks: less | equal},
	"semverEquals": {compares: versions, asks: equal}, "semverNotEquals": {compares: versions, asks: equal, negated: true},
	"semverGreaterThan": {compares: versions, asks: greater}, "semverGreaterThanOrEquals": {compares: versions, asks: greater | equal},
	"semverLessThan": {compares: versions, asks: less}, "semverLessThanOrEquals": {compares: versions, asks: less | equal},
	"before": {compares: moments, asks: less}, "beforeOrEquals": {compares: moments, asks: less | equal},
	"after": {compares: moments, asks: greater}, "afterOrEquals": {compares: moments, asks: greater | equal},
	"exists": {compares: presence, asks: present}, "notExists": {compares: presence, asks: absent},
	"always": {compares: presence, asks: present | absent}, "percentage": {compares: percentages}, "share": {compares: shares},
}

func (o operator) cause() Cause {
	switch {
	case o.compares == percentages || o.compares == shares:
		return Share
	case o.asks == present|absent:
		return Always
	default:
		return Rule
	}
}

// A comparison is a condition on one attribute, with its operand read.
type comparison struct {
	operator
	attribute  string
	text       string
	list       map[string]struct{}
	expression *regexp.Regexp
	number     float64 // or a moment
	version    version
	share      share
}

// comparison reads an operand. It returns nil if the operator cannot read it.
func (c *compiler) comparison(attribute, name, operand string) condition {
	base, folds := strings.CutSuffix(name, "IgnoreCase")
	operator, ok := operators[base]
	if !ok || folds && (operator.compares < wholes || operator.compares > lists) {
		if c.unknownOperator == "" {
			c.unknownOperator = name
		}
		return unknownOperator{}
	}
	operator.folds = folds
	result := &comparison{operator: operator, attribute: attribute, text: operator.fold(operand)}
	switch operator.compares {
	case lists:
		result.list, ok = c.list(operand, operator)
	case expressions:
		result.expression = c.expression(operand)
		ok = result.expression != nil
	case numbers:
		result.number, ok = parseDecimal(operand)
	case moments:
		result.number, ok = parseMoment(operand)
	case versions:
		result.version, ok = parseOperandVersion(operand)
	case percentages:
		result.share, ok = parsePercentage(operand, c.key)
	case shares:
		result.share, ok = parseShare(operand)
	}
	if !ok {
		return nil
	}
	return result
}

// list reads a JSON array of texts. Many flags have the same one.
func (c *compiler) list(operand string, o operator) (list map[string]struct{}, ok bool) {
	id := fmt.Sprint(o.folds, operand)
	if list, ok = c.lists[id]; ok {
		return list, true
	}
	elements, ok := parseJSON(operand).([]any)
	list = make(map[string]struct{}, len(elements))
	for _, element := range elements {
		text, isText := element.(string)
		list[o.fold(text)] = struct{}{}
		ok = ok && isText
	}
	if ok {
		c.lists[id] = list
	}
	return list, ok
}

func (c *comparison) truth(context map[string]any) truth {
	if c.matches(valueOf(context[c.attribute])) {
		return yes
	}
	return no
}

// matches reports whether an attribute matches. A list does if any of its elements does; with a negated operator, if none does.
func (c *comparison) matches(v value) bool {
	switch {
	case c.compares == presence && v.kind == missing:
		return c.asks&absent != 0
	case c.compares == presence:
		return c.asks&present != 0
	case v.kind != list:
		matches, comparable := c.compare(v)
		return comparable && matches != c.negated
	case c.compares == percentages || c.compares == shares:
		return false // a list identifies several users
	}
	anyComparable := c.compares != versions || v.list.Len() == 0
	for i := range v.list.Len() {
		matches, comparable := c.compare(v.at(i))
		if matches {
			return !c.negated
		}
		anyComparable = anyComparable || comparable
	}
	return c.negated && anyComparable
}

// compare reports whether a value that is no list would match without a negation, and whether it can be compared at all. The
// text must not escape: short ones that are made here stay on the stack.
func (c *comparison) compare(v value) (matches, comparable bool) {
	if v.kind == object && v.list.IsValid() {
		warn(v.list.Type())
	}
	switch {
	case c.compares == numbers:
		number, ok := v.parsedNumber()
		return ok && c.asks&orderOf(number, c.number) != 0, ok
	case c.compares == moments:
		moment, ok := v.parsedMoment()
		return ok && c.asks&orderOf(moment, c.number) != 0, ok
	case v.kind == missing || v.kind == object || v.kind == list:
		return false, false
	}
	var buffer [32]byte
	text := v.text
	if v.kind != stringKind {
		text = string(v.appendText(buffer[:0]))
	}
	if c.folds {
		text = string(appendFolded(buffer[:0], text))
	}
	switch c.compares {
	case wholes:
		return text == c.text, true
	case parts:
		return strings.Contains(text, c.text), true
	case starts:
		return strings.HasPrefix(text, c.text), true
	case ends:
		return strings.HasSuffix(text, c.text), true
	case lists:
		_, matches = c.list[text]
		return matches, true
	case expressions:
		return c.expression.MatchString(strings.Clone(text)), true
	case versions:
		order := c.version.order(text)
		return c.asks&order != 0, order != 0
	default:
		return c.share.has(text), true
	}
}

// fold returns a text as the operator compares it.
func (o operator) fold(text string) string {
	if o.folds {
		return string(appendFolded(nil, text))
	}
	return text
}

// appendFolded appends a text with A to Z as a to z. No other letter is folded, so that every language does the same.
func appendFolded(buffer []byte, text string) []byte {
	for i := range len(text) {
		letter := text[i]
		if 'A' <= letter && letter <= 'Z' {
			letter += 'a' - 'A'
		}
		buffer = append(buffer, letter)
	}
	return buffer
}

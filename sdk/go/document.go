package flagstone

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// New compiles a document. Its flags, configurations and rules may have members that it does not know, so that it can read the
// documents of later versions. The error says what is wrong; all SDKs refuse the same documents.
func New(document []byte) (*Evaluator, error) {
	entries, ok := flagsOf(document).([]any)
	if !ok {
		return nil, malformed("it is not a JSON object in UTF-8 with a list of flags as its only member")
	}
	c := compiler{lists: map[string]map[string]struct{}{}}
	e := &Evaluator{flags: make(map[string]*flag, len(entries)), version: fmt.Sprintf("%x", sha256.Sum256(document))[:32]}
	var previous []uint16
	for i, entry := range entries {
		members, _ := entry.(map[string]any)
		if !isEntry(members) {
			return nil, malformed(fmt.Sprintf("flags[%d] is not a flag entry", i))
		}
		c.key = members["flag"].(map[string]any)["key"].(string)
		order := utf16.Encode([]rune(c.key))
		if i > 0 && slices.Compare(order, previous) <= 0 {
			return nil, malformed(fmt.Sprintf("flags[%d] is out of order or has a duplicate key", i))
		}
		previous = order
		e.flags[c.key] = c.flag(members)
		if environment, ok := members["environment"].(map[string]any); ok && e.flagSet == "" {
			e.flagSet = members["flag"].(map[string]any)["projectId"].(string) + "/" + environment["environmentId"].(string)
		}
	}
	return e, nil
}

// NewFromValues reads flags with one value each, for everyone: {"flags":{"delivery-slots":true}}. It is for tests.
func NewFromValues(document []byte) (*Evaluator, error) {
	values, ok := flagsOf(document).(map[string]any)
	if !ok {
		return nil, malformed("it is not a JSON object in UTF-8 with an object of values as its only member, flags")
	}
	flags := make(map[string]*flag, len(values))
	for key, value := range values {
		flags[key] = &flag{otherwise: Evaluation{Value: value, Cause: Unconfigured}, meaning: meaningOf(value)}
	}
	return &Evaluator{flags: flags}, nil
}

func malformed(reason string) error {
	return errors.New("flagstone: not a document of flags: " + reason)
}

// parseJSON decodes any JSON. It returns nil for null, and for anything that is not JSON. A number beyond the largest float64 is infinity.
func parseJSON(text string) (value any) {
	err := json.Unmarshal([]byte(text), &value)
	if beyond := (*json.UnmarshalTypeError)(nil); errors.As(err, &beyond) { // it is JSON, with such a number
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		err = decoder.Decode(&value)
		value = withFloats(value)
	}
	if err != nil {
		return nil
	}
	return value
}

// withFloats replaces each number in a decoded value, in place.
func withFloats(value any) any {
	switch value := value.(type) {
	case json.Number:
		number, _ := strconv.ParseFloat(value.String(), 64)
		return number
	case []any:
		for i, element := range value {
			value[i] = withFloats(element)
		}
	case map[string]any:
		for name, member := range value {
			value[name] = withFloats(member)
		}
	}
	return value
}

// flagsOf returns the only member of a document.
func flagsOf(document []byte) any {
	members, _ := parseJSON(string(document)).(map[string]any)
	if len(members) != 1 || !utf8.Valid(document) {
		return nil
	}
	return members["flags"]
}

func isEntry(entry map[string]any) bool {
	environment, hasEnvironment := entry["environment"]
	if len(entry) != 2 || !hasEnvironment || !has(entry["flag"], "defaultValue",
		"id", "projectId", "key", "name", "description", "type", "createdAt", "updatedAt") {
		return false
	}
	if environment == nil {
		return true
	}
	if !has(environment, "enabled", "id", "flagId", "environmentId", "updatedAt") {
		return false
	}
	configuration := environment.(map[string]any)
	_, hasEnabled := configuration["enabled"].(bool)
	rules, hasRules := configuration["rules"].([]any)
	for _, rule := range rules {
		hasRules = hasRules && has(rule, "returnValue", "id", "attribute", "operator", "value")
	}
	return hasEnabled && hasRules
}

// has reports whether a value is an object with a member of any type, and with texts.
func has(value any, member string, texts ...string) bool {
	members, _ := value.(map[string]any)
	_, ok := members[member]
	for _, name := range texts {
		_, isText := members[name].(string)
		ok = ok && isText
	}
	return ok
}

// A compiler compiles the flags of one document, one at a time.
type compiler struct {
	lists map[string]map[string]struct{} // by what they were read from

	key     string  // of the flag
	limited limited // the flag's expressions

	conditions      int    // of the rule
	malformed       bool   // whether a group of the rule is no list of conditions, or exceeds a limit
	unknownOperator string // the rule's first
}

// flag compiles an entry.
func (c *compiler) flag(entry map[string]any) *flag {
	definition := entry["flag"].(map[string]any)
	value := definition["defaultValue"]
	f := &flag{otherwise: Evaluation{Value: value, Cause: Unconfigured}}
	parts := []any{definition["type"], value}
	if configuration, ok := entry["environment"].(map[string]any); ok {
		f.otherwise.Cause = Disabled
		if configuration["enabled"] == true {
			f.otherwise.Cause = Default
			rules := configuration["rules"].([]any)
			f.static = len(rules) == 0
			c.limited = limited{}
			for i, rule := range rules {
				members := rule.(map[string]any)
				cause := c.addRule(f, members)
				f.static = f.static || i == 0 && cause == Always
				parts = append(parts, members["attribute"], members["operator"], members["value"], members["returnValue"])
			}
		}
	}
	f.meaning = meaningOf(parts...)
	return f
}

// addRule adds a rule to a flag, unless it has an operand that cannot be read: then it matches nothing.
func (c *compiler) addRule(f *flag, members map[string]any) Cause {
	id := members["id"].(string)
	cause := operators[members["operator"].(string)].cause()
	limited := c.limited
	c.conditions, c.malformed, c.unknownOperator = 0, false, ""
	condition := c.condition(members, 1)
	if c.malformed {
		c.limited = limited // its expressions do not count
	} else if condition != nil {
		rule := rule{condition: condition, matched: Evaluation{members["returnValue"], cause, id}}
		if c.unknownOperator != "" {
			rule.unknown = &UnknownOperatorError{c.key, id, c.unknownOperator}
		}
		f.rules = append(f.rules, rule)
	}
	return cause
}

// A meaning is equal for flags that give everyone the same values.
type meaning [sha256.Size]byte

func meaningOf(parts ...any) meaning { return sha256.Sum256(fmt.Appendf(nil, "%#v", parts)) }

package flagstone

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// New compiles a document. For tests, {"flags":{"delivery-slots":true}} is one, too: flags with one value each, for everyone.
// Members that it does not know are ignored, so that it can read the documents of later versions.
func New(document []byte) (*Evaluator, error) {
	members, _ := parseJSON(string(document)).(map[string]any)
	if !utf8.Valid(document) {
		members = nil
	}
	flags := map[string]*flag{}
	switch entries := members["flags"].(type) {
	case []any:
		c := compiler{expressions: map[string]*regexp.Regexp{}, lists: map[string]map[string]struct{}{}}
		for i, entry := range entries {
			key, flag, ok := c.flag(entry)
			if _, taken := flags[key]; taken || !ok {
				return nil, fmt.Errorf("flagstone: not a document of flags: flags[%d] is no flag, or a second one with its key", i)
			}
			flags[key] = flag
		}
	case map[string]any:
		for key, value := range entries {
			flags[key] = &flag{otherwise: Evaluation{Value: value, Cause: Unconfigured}, meaning: meaningOf(value)}
		}
	default:
		return nil, errors.New("flagstone: not a document of flags: it is not JSON in UTF-8, or has no flags")
	}
	return &Evaluator{flags}, nil
}

// A compiler compiles the flags of one document, one at a time.
type compiler struct {
	expressions map[string]*regexp.Regexp      // nil for a text that is none
	lists       map[string]map[string]struct{} // by what they were read from

	key     string  // of the flag
	limited limited // the flag's expressions

	conditions      int    // of the rule
	malformed       bool   // whether a group of the rule is no list of conditions, or exceeds a limit
	unknownOperator string // the rule's first
}

func (c *compiler) flag(entry any) (key string, f *flag, ok bool) {
	members, _ := entry.(map[string]any)
	environment, hasEnvironment := members["environment"]
	definition, _ := members["flag"].(map[string]any)
	value, hasValue := definition["defaultValue"]
	if key, ok = definition["key"].(string); !ok || !hasValue || !hasEnvironment {
		return "", nil, false
	}
	f = &flag{otherwise: Evaluation{Value: value, Cause: Unconfigured}}
	parts := []any{definition["type"], value}
	if environment != nil {
		configuration, _ := environment.(map[string]any)
		enabled, hasEnabled := configuration["enabled"].(bool)
		rules, hasRules := configuration["rules"].([]any)
		if !hasEnabled || !hasRules {
			return "", nil, false
		}
		f.otherwise.Cause = Disabled
		if enabled {
			f.otherwise.Cause = Default
			f.static = len(rules) == 0
			c.key, c.limited = key, limited{}
			for i, rule := range rules {
				members, _ := rule.(map[string]any)
				cause, ok := c.addRule(f, members)
				if !ok {
					return "", nil, false
				}
				f.static = f.static || i == 0 && cause == Always
				parts = append(parts, members["attribute"], members["operator"], members["value"], members["returnValue"])
			}
		}
	}
	f.meaning = meaningOf(parts...)
	return key, f, true
}

// addRule adds a rule to a flag, unless it has an operand that cannot be read: then it matches nothing.
func (c *compiler) addRule(f *flag, members map[string]any) (cause Cause, ok bool) {
	value, hasValue := members["returnValue"]
	operator, _ := members["operator"].(string)
	id, _ := members["id"].(string)
	result := Evaluation{Value: value, Cause: operators[operator].cause(), Rule: id}
	limited := c.limited
	c.conditions, c.malformed, c.unknownOperator = 0, false, ""
	condition := c.condition(members, 1)
	if c.malformed {
		c.limited = limited // its expressions do not count
		return result.Cause, hasValue && isGroup(operator)
	}
	if condition != nil {
		rule := rule{condition: condition, matched: result}
		if c.unknownOperator != "" {
			rule.unknown = &UnknownOperatorError{c.key, id, c.unknownOperator}
		}
		f.rules = append(f.rules, rule)
	}
	return result.Cause, hasValue
}

// A meaning is equal for flags that give everyone the same values.
type meaning [sha256.Size]byte

func meaningOf(parts ...any) meaning { return sha256.Sum256(fmt.Appendf(nil, "%#v", parts)) }

// Package flagstone evaluates feature flags in process, from a document that Flagstone compiled: the answer of a proxy's
// /v1/flags, or the file that flagstone build wrote and a CDN serves.
//
//	flags, err := flagstone.New(document)
//	evaluation, err := flags.Evaluate("delivery-slots", map[string]any{"postcode": "10115"})
//
// It needs the standard library alone, and has no clock, no randomness and no I/O. Package provider keeps a document up to date
// and offers its flags through OpenFeature.
//
// A context has the attributes that rules compare. [time.Time], strings, booleans, numbers, slices, arrays, and named types of the
// latter five are compared as docs/evaluation.md says; a number is a float64, so send identifiers beyond 2⁵³ as strings. A
// [json.Number] is a number, too. Any other type with a MarshalText method is the text that it gives, whatever its kind. A pointer is
// what it points to, unless that is a pointer or an interface. Maps and everything else are objects, which no comparison matches;
// package log/slog warns once of each type of these but maps. An attribute that is nil is missing.
package flagstone

import (
	"errors"
	"fmt"
	"slices"
)

// ErrUnknownFlag says that the document has no flag with the key.
var ErrUnknownFlag = errors.New("flag not found")

// An UnknownOperatorError says that the rule that decides has an operator that only the project's own code knows.
type UnknownOperatorError struct{ Flag, Rule, Operator string }

func (e *UnknownOperatorError) Error() string {
	return fmt.Sprintf("rule %s decides by the operator %s, which only the project's own code knows", e.Rule, e.Operator)
}

// A Cause says why a flag has its value.
type Cause string

const (
	Rule         Cause = "rule"         // a rule matches
	Share        Cause = "share"        // a rule that picks a share of users matches
	Always       Cause = "always"       // a rule that matches everyone comes first
	Default      Cause = "default"      // no rule matches
	Disabled     Cause = "disabled"     // the flag is disabled in the environment
	Unconfigured Cause = "unconfigured" // the flag is not configured in the environment
)

// An Evaluation is the value of a flag in a context.
type Evaluation struct {
	// Value is a nil, bool, float64, string, []any or map[string]any. Evaluations share it: it must not be modified.
	Value any
	Cause Cause
	Rule  string // the id of the rule that gave the value; "" if none did
}

// An Evaluator evaluates the flags of one document. It never changes, and is safe for concurrent use.
type Evaluator struct {
	flags   map[string]*flag
	flagSet string
	version string
}

// A flag has every evaluation that it can give, so that evaluating allocates nothing.
type flag struct {
	rules     []rule
	otherwise Evaluation
	static    bool
	meaning   meaning
}

type rule struct {
	condition condition
	matched   Evaluation
	unknown   *UnknownOperatorError // nil if all operators are Flagstone's
}

// Evaluate returns the value of a flag in a context, which may be nil. If the error is [ErrUnknownFlag] or an
// [*UnknownOperatorError], the caller's own default applies; there are no other errors.
//
// It takes time linear in the size of the context. It allocates nothing, but for rules with regular expressions, or that ignore
// the case of a text of more than 32 bytes, and for attributes with a MarshalText method, or that are arrays.
func (e *Evaluator) Evaluate(key string, context map[string]any) (Evaluation, error) {
	flag, ok := e.flags[key]
	if !ok {
		return Evaluation{}, ErrUnknownFlag
	}
	for i := range flag.rules {
		rule := &flag.rules[i]
		switch rule.condition.truth(context) {
		case yes:
			return rule.matched, nil
		case unknown:
			return Evaluation{}, rule.unknown
		}
	}
	return flag.otherwise, nil
}

// Static reports whether a flag is enabled and, having no rules or one first that matches everyone, has one value.
func (e *Evaluator) Static(key string) bool {
	flag, ok := e.flags[key]
	return ok && flag.static
}

// FlagSet returns the ids of the document's project and environment, as in shop/production, or "" if the environment configures no
// flag.
func (e *Evaluator) FlagSet() string { return e.flagSet }

// Version names the document: the first 32 hexadecimal digits of its SHA-256. It is "" for values.
func (e *Evaluator) Version() string { return e.version }

// Changes returns the sorted keys of the flags that are new, are gone, or may give a user another value than in a previous
// document.
func (e *Evaluator) Changes(previous *Evaluator) []string {
	var keys []string
	for key, flag := range e.flags {
		if before, ok := previous.flags[key]; !ok || before.meaning != flag.meaning {
			keys = append(keys, key)
		}
	}
	for key := range previous.flags {
		if _, ok := e.flags[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

package flagstone

import (
	"regexp"
	"slices"
	"strings"
)

// characterProperties has the names that \p{…} may have: a closed list of those that all engines read alike.
var characterProperties = strings.Fields(`
Any Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs
Arabic Armenian Bengali Bopomofo Cherokee Common Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul
Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Nko Oriya Sinhala Syriac Tamil Telugu
Thaana Thai Tibetan Tifinagh Vai Yi
`)

// classes finds classes such as \pL. Between \Q and \E, and after a backslash, are only characters.
var classes = regexp.MustCompile(`(?s)\\Q.*?(?:\\E|$)|\\([pP])(?:\{\^?([^}]*)(?:\}|$)|(.))|\\.`)

// hasForeignProperty is whether an expression has a class whose name is not in the list.
func hasForeignProperty(source string) bool {
	return slices.ContainsFunc(classes.FindAllStringSubmatch(source, -1), func(found []string) bool {
		return found[1] != "" && !slices.Contains(characterProperties, found[2]+found[3])
	})
}

package flagstone

import (
	"strings"
	"testing"
	"time"
)

// growth returns how many times as long run takes for a text of four times length: about 4 if it is linear, 16 if it is
// quadratic. Others on the machine only add time, so each side is the least of many short rounds, and of more while it does not
// look linear. What is linear has rounds of the same length on both sides, so that they are as likely to be interrupted.
func growth(run func(string), textOf func(int) string, length int) float64 {
	short, long := textOf(length), textOf(4*length)
	timed := func(text string, calls int) time.Duration {
		start := time.Now()
		for range calls {
			run(text)
		}
		return time.Since(start)
	}
	calls := 1
	for timed(long, calls) < time.Millisecond/2 {
		calls *= 2
	}
	leastShort, leastLong := time.Hour, time.Hour
	ratio := func() float64 { return 4 * float64(leastLong) / float64(leastShort) }
	for round := 0; round < 7 || round < 40 && ratio() > linear; round++ {
		leastShort = min(leastShort, timed(short, 4*calls))
		leastLong = min(leastLong, timed(long, calls))
	}
	return ratio()
}

// linear is the most that growth may be of what is linear: halfway, in powers, from 4 to 16. Garbage and the race detector add to 4.
const linear = 8

func TestMeasuringAnExpressionIsLinear(t *testing.T) {
	for _, beginning := range []string{
		"[[:a", "[:", "[[:x:", "[[:alpha:]", "[", "[]", "[^]", `[\`, `\`, `\p{`, `[\p{`, `\x{`, `\Q`, "(", "(?", "(?i", "(?<", "(?P<a", "(?<a>",
		"{1", "{1,", "a{1,", "*", "é",
	} {
		textOf := func(length int) string { return string([]rune(strings.Repeat(beginning, length))[:length]) }
		if got := growth(func(source string) { expressionSize(source) }, textOf, 1_000); got > linear {
			t.Errorf("size of %s: %.1f", beginning, got)
		}
	}
}

// Conformance evaluates what it reads, as the programs of this name in all SDKs do, so that they can be compared. Each line is
// a JSON object: {"document":…} gives the document for the lines after it, and {"key":…,"context":…} is answered by a line
// {"value":…,"cause":…,"rule":…}, in which rule is null if no rule gave the value, or {"error":…}: unknownFlag, unknownOperator
// or document.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	flagstone "flagstone.example/sdk/go"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	var flags *flagstone.Evaluator
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var request struct{ Document, Key, Context json.RawMessage }
			if err := json.Unmarshal(line, &request); err != nil {
				log.Fatal(err)
			}
			if request.Document != nil {
				flags, _ = flagstone.New(request.Document)
			} else if err := answers.Encode(answer(flags, request.Key, request.Context)); err != nil {
				log.Fatal(err)
			}
		}
		if in.Buffered() == 0 || err != nil {
			out.Flush()
		}
		if err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
	}
}

func answer(flags *flagstone.Evaluator, key, context json.RawMessage) any {
	type failure struct {
		Error string `json:"error"`
	}
	if flags == nil {
		return failure{"document"}
	}
	name, _ := read(key).(string)
	attributes, _ := read(context).(map[string]any)
	evaluation, err := flags.Evaluate(name, attributes)
	if errors.Is(err, flagstone.ErrUnknownFlag) {
		return failure{"unknownFlag"}
	} else if err != nil {
		return failure{"unknownOperator"}
	}
	rule := &evaluation.Rule
	switch evaluation.Cause {
	case flagstone.Default, flagstone.Disabled, flagstone.Unconfigured:
		rule = nil
	}
	return struct {
		Value any             `json:"value"`
		Cause flagstone.Cause `json:"cause"`
		Rule  *string         `json:"rule"`
	}{evaluation.Value, evaluation.Cause, rule}
}

// read reads JSON as documents are read: halves of surrogate pairs and all.
func read(value json.RawMessage) any {
	values, err := flagstone.NewFromValues(fmt.Appendf(nil, `{"flags":{"":%s}}`, value))
	if err != nil {
		log.Fatal(err)
	}
	evaluation, _ := values.Evaluate("", nil)
	return evaluation.Value
}

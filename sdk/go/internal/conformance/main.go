// Conformance evaluates what it reads, as the programs of this name in all SDKs do, so that they can be compared. Each line is
// a JSON object: {"document":…} gives the document for the lines after it, and {"key":…,"context":…} is answered by a line
// {"value":…,"cause":…,"rule":…}, in which rule is null if no rule gave the value, or {"error":…}: unknownFlag, unknownOperator
// or document.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	flagstone "flagstone.example/sdk/go"
)

func main() {
	questions, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	var flags *flagstone.Evaluator
	for {
		var line struct {
			Document json.RawMessage
			Key      string
			Context  map[string]any
		}
		err := questions.Decode(&line)
		if err == io.EOF {
			return
		} else if err == nil && line.Document == nil {
			err = answers.Encode(answer(flags, line.Key, line.Context))
		} else if err == nil {
			flags, _ = flagstone.New(line.Document)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

func answer(flags *flagstone.Evaluator, key string, context map[string]any) any {
	type failure struct {
		Error string `json:"error"`
	}
	if flags == nil {
		return failure{"document"}
	}
	evaluation, err := flags.Evaluate(key, context)
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

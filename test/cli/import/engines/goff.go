package main

import (
	"encoding/json"
	"os"
	"time"

	ffclient "github.com/thomaspoignant/go-feature-flag"
	"github.com/thomaspoignant/go-feature-flag/modules/core/utils"
	"github.com/thomaspoignant/go-feature-flag/retriever/fileretriever"
)

func main() {
	var asked struct {
		File json.RawMessage
		Asks []struct {
			Flag    string
			Context map[string]any
		}
	}
	check(json.NewDecoder(os.Stdin).Decode(&asked))
	file, err := os.CreateTemp("", "goff")
	check(err)
	defer os.Remove(file.Name())
	check(os.WriteFile(file.Name(), asked.File, 0o600))
	client, err := ffclient.New(ffclient.Config{
		PollingInterval: time.Hour, FileFormat: "json", Retriever: &fileretriever.Retriever{Path: file.Name()},
	})
	check(err)
	values := make([]any, len(asked.Asks))
	for at, ask := range asked.Asks {
		key, _ := ask.Context["targetingKey"].(string)
		delete(ask.Context, "targetingKey")
		context := utils.ConvertEvaluationCtxFromRequest(key, ask.Context)
		if found, err := client.RawVariation(ask.Flag, context, nil); err == nil && !found.Failed {
			values[at] = found.Value
		}
	}
	check(json.NewEncoder(os.Stdout).Encode(values))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

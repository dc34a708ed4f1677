package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/open-feature/flagd/core/pkg/evaluator"
	"github.com/open-feature/flagd/core/pkg/logger"
	"github.com/open-feature/flagd/core/pkg/store"
	"github.com/open-feature/flagd/core/pkg/sync"
	"go.uber.org/zap"
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
	log := logger.NewLogger(zap.NewNop(), false)
	flags, err := store.NewStore(log, []string{"file"})
	check(err)
	engine := evaluator.NewJSON(log, flags)
	check(engine.SetState(sync.DataSync{FlagData: string(asked.File), Source: "file"}))
	values := make([]any, len(asked.Asks))
	for at, ask := range asked.Asks {
		if found := engine.ResolveAsAnyValue(context.Background(), "", ask.Flag, ask.Context); found.Error == nil {
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

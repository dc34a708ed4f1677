// Asks for flags through OpenFeature: the arguments are the proxy's address and the API key, each line of stdin a question.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

func main() {
	options := []ofrep.Option{}
	if key := os.Args[2]; key != "" {
		options = append(options, ofrep.WithBearerToken(key))
	}
	if err := openfeature.SetProviderAndWait(ofrep.NewProvider(os.Args[1], options...)); err != nil {
		panic(err)
	}
	client := openfeature.NewClient("test")
	ctx := context.Background()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		key := parts[1]
		evalCtx := openfeature.NewEvaluationContext("ann", map[string]any{"plan": parts[2]})
		var value any
		var code openfeature.ErrorCode
		switch parts[0] {
		case "boolean":
			details, _ := client.BooleanValueDetails(ctx, key, false, evalCtx)
			value, code = details.Value, details.ErrorCode
		case "text":
			details, _ := client.StringValueDetails(ctx, key, "fallback", evalCtx)
			value, code = details.Value, details.ErrorCode
		case "integer":
			details, _ := client.IntValueDetails(ctx, key, -1, evalCtx)
			value, code = details.Value, details.ErrorCode
		case "float":
			details, _ := client.FloatValueDetails(ctx, key, -1.5, evalCtx)
			value, code = details.Value, details.ErrorCode
		case "object":
			details, _ := client.ObjectValueDetails(ctx, key, map[string]any{"fallback": true}, evalCtx)
			value, code = details.Value, details.ErrorCode
		}
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\t%s\t%s\n", lines.Text(), text, code)
	}
}

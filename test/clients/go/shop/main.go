package main

import (
	"context"
	"fmt"
	"os"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

func main() {
	apiKey := ofrep.WithBearerToken(os.Getenv("FLAGSTONE_API_KEY"))
	openfeature.SetProviderAndWait(ofrep.NewProvider("http://127.0.0.1:8080", apiKey))
	ann := openfeature.NewEvaluationContext("ann", map[string]any{"appVersion": "4.13.0", "postcode": "10115"})
	value, _ := openfeature.NewClient("shop").BooleanValue(context.Background(), "delivery-slots", false, ann)
	fmt.Println(value)
}

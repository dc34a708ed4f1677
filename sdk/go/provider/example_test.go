package provider_test

import (
	"context"
	_ "embed"
	"fmt"

	"flagstone.example/sdk/go/provider"
	"github.com/open-feature/go-sdk/openfeature"
)

// What flagstone build wrote when the program was built.
//
//go:embed testdata/production.json
var snapshot []byte

// The program has the flags of its build until it reaches the server, which it does not here.
func Example_fallback() {
	flags, err := provider.New(provider.Options{URL: "http://127.0.0.1:1", Document: snapshot})
	if err != nil {
		panic(err)
	}
	if err := openfeature.SetProviderAndWait(flags); err != nil {
		panic(err)
	}
	defer openfeature.Shutdown()
	ann := openfeature.NewEvaluationContext("ann", map[string]any{"appVersion": "4.13.0", "postcode": "10115"})
	fmt.Println(openfeature.NewClient("shop").BooleanValue(context.Background(), "delivery-slots", false, ann))
	// Output: true <nil>
}

// Tests give each flag a value.
func Example_tests() {
	flags, err := provider.New(provider.Options{Document: []byte(`{"flags": {"delivery-slots": true}}`)})
	if err != nil {
		panic(err)
	}
	if err := openfeature.SetNamedProviderAndWait("checkout", flags); err != nil {
		panic(err)
	}
	client := openfeature.NewClient("checkout")
	fmt.Println(client.BooleanValue(context.Background(), "delivery-slots", false, openfeature.EvaluationContext{}))
	// Output: true <nil>
}

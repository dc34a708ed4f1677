// An application that follows flags, as application.ts is one: it prints each event, and the flag switch for each line.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"flagstone.example/sdk/go/provider"
	"github.com/open-feature/go-sdk/openfeature"
)

func main() {
	flags, err := provider.New(provider.Options{
		URL:          os.Args[1],
		APIKey:       os.Args[2],
		PollInterval: milliseconds(os.Args[3]),
		StaleAfter:   milliseconds(os.Args[4]),
		CacheFile:    os.Args[5],
	})
	if err != nil {
		log.Fatal(err)
	}
	var printing sync.Mutex
	say := func(words ...string) {
		printing.Lock()
		defer printing.Unlock()
		fmt.Println(strings.TrimSpace(strings.Join(words, " ")))
	}
	for event, name := range map[openfeature.EventType]string{
		openfeature.ProviderReady:        "READY",
		openfeature.ProviderError:        "ERROR",
		openfeature.ProviderStale:        "STALE",
		openfeature.ProviderConfigChange: "CHANGED",
	} {
		listen := func(details openfeature.EventDetails) {
			if details.ProviderName == "Flagstone" { // not the SDK's own, which is ready from the start
				vague := ""
				if name == "STALE" && !strings.HasPrefix(details.Message, os.Args[1]) {
					vague = "without the address: " + details.Message
				}
				say(name, vague+strings.Join(details.FlagChanges, ","))
			}
		}
		openfeature.AddHandler(event, &listen)
	}
	openfeature.SetProvider(flags)
	client := openfeature.NewClient("application")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		details, err := client.BooleanValueDetails(context.Background(), "switch", false, openfeature.EvaluationContext{})
		say("VALUE", strconv.FormatBool(details.Value), why(details, err))
	}
	openfeature.Shutdown()
}

// why is the error's code or, without an error, the reason. For a provider in a bad state the SDK has no code, but an error.
func why(details openfeature.BooleanEvaluationDetails, err error) string {
	switch {
	case errors.Is(err, openfeature.ProviderNotReadyError):
		return string(openfeature.ProviderNotReadyCode)
	case errors.Is(err, openfeature.ProviderFatalError):
		return string(openfeature.ProviderFatalCode)
	case details.ErrorCode != "":
		return string(details.ErrorCode)
	}
	return string(details.Reason)
}

func milliseconds(text string) time.Duration {
	number, err := strconv.Atoi(text)
	if err != nil {
		log.Fatal(err)
	}
	return time.Duration(number) * time.Millisecond
}

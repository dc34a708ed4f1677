// One SDK for Go: how fast it starts and evaluates. As measure.ts and measure.py.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"flagstone.example/sdk/go"
	"github.com/growthbook/growthbook-golang"
)

type isOn func(key string, context int) bool

var (
	contexts     []map[string]any
	address, key string
	engines      = map[string]func(text []byte) isOn{"flagstone": ours, "ofrep": ofrep, "growthbook": growthBook}
)

func ours(text []byte) isOn {
	flags := must(flagstone.New(text))
	return func(key string, context int) bool {
		return must(flags.Evaluate(key, contexts[context])).Value == true
	}
}

func ofrep([]byte) isOn {
	bodies := make([]string, len(contexts))
	for i, attributes := range contexts {
		bodies[i] = string(must(json.Marshal(map[string]any{"context": attributes})))
	}
	return func(flag string, context int) bool {
		request := must(http.NewRequest("POST", address+"/ofrep/v1/evaluate/flags/"+flag, strings.NewReader(bodies[context])))
		request.Header.Set("Authorization", "Bearer "+key)
		response := must(http.DefaultClient.Do(request))
		defer response.Body.Close()
		var answer struct{ Value any }
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
			panic(err)
		}
		_, _ = response.Body.Read(make([]byte, 1)) // to its end, so that the connection is used again
		return answer.Value == true
	}
}

func growthBook(text []byte) isOn {
	client := must(growthbook.NewClient(context.Background()))
	if err := client.UpdateFromApiResponseJSON(string(text)); err != nil {
		panic(err)
	}
	users := make([]*growthbook.Client, len(contexts))
	for i, attributes := range contexts {
		users[i] = must(client.WithAttributes(attributes))
	}
	return func(key string, user int) bool { return users[user].EvalFeature(context.Background(), key).On }
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func megabytes() float64 {
	debug.FreeOSMemory()
	fields := strings.Fields(string(must(os.ReadFile("/proc/self/statm"))))
	return float64(must(strconv.Atoi(fields[1]))*os.Getpagesize()) / 1e6
}

// now is in seconds of this process's CPU time, or of everyone's time if a server works, too.
func now(engine string) float64 {
	if engine == "ofrep" {
		return float64(time.Now().UnixMicro()) / 1e6
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return float64((used.Utime.Nano() + used.Stime.Nano())) / 1e9
}

func main() {
	engine, folder, size := os.Args[1], os.Args[2], os.Args[3]
	if len(os.Args) > 6 {
		address, key = os.Args[5], os.Args[6]
	}
	if err := json.Unmarshal(must(os.ReadFile(filepath.Join(folder, "contexts.json"))), &contexts); err != nil {
		panic(err)
	}
	file := engine
	if engine == "ofrep" {
		file = "flagstone"
	}
	text := must(os.ReadFile(filepath.Join(folder, file+"-"+size+".json")))
	before, began := megabytes(), now(engine)
	on := engines[engine](text)
	milliseconds := (now(engine) - began) * 1000
	memory := megabytes() - before
	runtime.KeepAlive(text)

	count, at := must(strconv.Atoi(size)), 0
	keys := make([]string, count)
	for i := range keys {
		keys[i] = fmt.Sprintf("flag-%05d", i)
	}
	evaluate := func(times int) (trues int) {
		for end := at + times; at < end; at++ {
			if on(keys[at*7919%count], at/count%len(contexts)) {
				trues++
			}
		}
		return trues
	}
	trues, perSecond := evaluate(5*count), 0.0
	seconds := must(strconv.ParseFloat(os.Args[4], 64))
	for round := 0; round < 3 && seconds > 0; round++ {
		since, evaluations := now(engine), 0
		for ; now(engine)-since < seconds; evaluations += 500 {
			evaluate(500)
		}
		perSecond = max(perSecond, float64(evaluations)/(now(engine)-since))
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"milliseconds": milliseconds, "memory": memory, "on": trues, "perSecond": perSecond,
	})
}

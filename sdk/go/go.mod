module flagstone.example/sdk/go

go 1.23.0

require github.com/open-feature/go-sdk v1.15.1

require (
	github.com/go-logr/logr v1.4.3 // indirect
	go.uber.org/mock v0.5.2 // indirect
)

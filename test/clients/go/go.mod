module client

go 1.24.0

require (
	github.com/open-feature/go-sdk v1.17.0
	github.com/open-feature/go-sdk-contrib/providers/ofrep v0.1.7
)

require (
	github.com/go-logr/logr v1.4.3 // indirect
	go.uber.org/mock v0.6.0 // indirect
)

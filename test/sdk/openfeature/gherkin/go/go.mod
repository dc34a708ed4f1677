module suite

go 1.26.0

require (
	flagstone.example/sdk/go v0.0.0
	github.com/open-feature/go-sdk v1.20.0
)

require go.uber.org/mock v0.6.0 // indirect

replace flagstone.example/sdk/go => ../../../../../sdk/go

module flagstone.example/sdk/go

go 1.23.0

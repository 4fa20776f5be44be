module levelfield.dev/engine

go 1.24

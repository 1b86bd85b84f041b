module sender

go 1.24

module xcipher/interop

go 1.26.2

replace xcipher => ..

tool (
	golang.org/x/perf/cmd/benchstat
	honnef.co/go/tools/cmd/staticcheck
)

require (
	github.com/ProtonMail/go-crypto v1.5.2
	github.com/aead/chacha20 v0.0.0-20180709150244-8b13a72661da
	github.com/aead/chacha20poly1305 v0.0.0-20201124145622-1a5aba2a8b29
	github.com/emmansun/gmsm v0.15.5
	github.com/flynn/noise v1.1.0
	github.com/gorilla/securecookie v1.1.2
	github.com/multiformats/go-multihash v0.2.3
	github.com/pion/dtls/v3 v3.1.15
	github.com/secure-io/sio-go v0.3.1
	github.com/shadowsocks/go-shadowsocks2 v0.1.5
	github.com/tink-crypto/tink-go/v2 v2.9.0
	github.com/xtaci/kcp-go/v5 v5.7.5
	golang.org/x/crypto v0.59.0
	xcipher v0.0.0
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/aead/poly1305 v0.0.0-20180717145839-3fee0db0b635 // indirect
	github.com/juju/ratelimit v1.0.2 // indirect
	github.com/klauspost/cpuid/v2 v2.4.1 // indirect
	github.com/klauspost/reedsolomon v1.14.2 // indirect
	github.com/minio/sha256-simd v1.0.0 // indirect
	github.com/mr-tron/base58 v1.2.0 // indirect
	github.com/multiformats/go-varint v0.0.6 // indirect
	github.com/pion/transport/v5 v5.1.4 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/riobard/go-bloom v0.0.0-20200614022211-cdc8013cb5b3 // indirect
	github.com/spaolacci/murmur3 v1.1.0 // indirect
	github.com/tjfoc/gmsm v1.4.1 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
	lukechampine.com/blake3 v1.1.6 // indirect
)

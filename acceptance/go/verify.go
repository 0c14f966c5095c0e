// Command verify checks proofs of messages with Go's packages for notes and transparency logs
// (golang.org/x/mod/sumdb), from the verifier key alone: that a signed head contains the hash of the record. With -log,
// it also checks the audit log of a running deployment: the signed head of each partition, and over its tiles the
// inclusion of records and the consistency of earlier trees.
//
//	verify [-log API -partitions N] KEYFILE [PROOF]...
//
// The file has one verifier key.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// samples is the maximum number of records and trees to check in a log.
const samples = 300

func main() {
	api := flag.String("log", "", "URL of a deployment, whose log is checked too")
	partitions := flag.Int("partitions", 1, "number of partitions of that log")
	flag.Parse()
	if flag.NArg() == 0 {
		fail("usage: verify [-log API -partitions N] KEYFILE [PROOF]...")
	}
	key, err := os.ReadFile(flag.Arg(0))
	check(err)
	verifier, err := note.NewVerifier(strings.TrimSpace(string(key)))
	check(err)
	if *api != "" {
		records := int64(0)
		for partition := 0; partition < *partitions; partition++ {
			records += verifyLog(*api, verifier, partition)
		}
		if records == 0 {
			fail("the logs have no record")
		}
		fmt.Printf("VERIFIED: %d records in %d logs\n", records, *partitions)
	}
	for _, file := range flag.Args()[1:] {
		content, err := os.ReadFile(file)
		check(err)
		proven, err := verifyProof(content, verifier)
		check(err)
		for _, damaged := range damages(content) {
			if _, err := verifyProof(damaged, verifier); err == nil {
				fail("a damaged copy of " + file + " verifies")
			}
		}
		fmt.Println("PROVEN: " + proven)
	}
}

// verifyLog verifies the log of one partition, and returns its number of records.
func verifyLog(api string, verifier note.Verifier, partition int) int64 {
	url := fmt.Sprintf("%s/v1/log/%d", api, partition)
	tree := openHead(get(url+"/checkpoint"), verifier, strconv.Itoa(partition))
	if tree.N == 0 {
		return 0
	}
	hashes := tlog.TileHashReader(tree, tiles{url, map[string][]byte{}})
	for i := int64(0); i < samples && i < tree.N; i++ {
		record := i * tree.N / min(samples, tree.N)
		leaf, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, record)})
		check(err)
		inclusion, err := tlog.ProveRecord(tree.N, record, hashes)
		check(err)
		check(tlog.CheckRecord(inclusion, tree.N, tree.Hash, record, leaf[0]))
		size := record + 1
		root, err := tlog.TreeHash(size, hashes)
		check(err)
		consistency, err := tlog.ProveTree(tree.N, size, hashes)
		check(err)
		check(tlog.CheckTree(consistency, tree.N, tree.Hash, size, root))
	}
	return tree.N
}

// openHead verifies the signature of a head and returns its tree.
func openHead(text []byte, verifier note.Verifier, partition string) tlog.Tree {
	opened, err := note.Open(text, note.VerifierList(verifier))
	check(err)
	tree, origin, err := parseHead(opened.Text)
	check(err)
	if origin != verifier.Name()+"/"+partition {
		fail("the head has the origin " + origin)
	}
	return tree
}

func parseHead(text string) (tlog.Tree, string, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 {
		return tlog.Tree{}, "", fmt.Errorf("a head has three lines: %q", text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, "", err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, lines[0], err
}

// verifyProof verifies a file of C2SP tlog-proof, and returns what it proves. Its extra data is the audit record, whose
// hash is the entry of the log.
func verifyProof(content []byte, verifier note.Verifier) (string, error) {
	proof, head, found := bytes.Cut(content, []byte("\n\n"))
	lines := strings.Split(string(proof), "\n")
	if !found || len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return "", fmt.Errorf("not a proof: %q", lines[0])
	}
	extra, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	if err != nil {
		return "", err
	}
	var record struct{ Hash string }
	if err := json.Unmarshal(extra, &record); err != nil {
		return "", err
	}
	entry, err := hex.DecodeString(record.Hash)
	if err != nil {
		return "", err
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	if err != nil {
		return "", err
	}
	var inclusion tlog.RecordProof
	for _, line := range lines[3:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return "", err
		}
		inclusion = append(inclusion, hash)
	}
	opened, err := note.Open(head, note.VerifierList(verifier))
	if err != nil {
		return "", err
	}
	tree, origin, err := parseHead(opened.Text)
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(origin, verifier.Name()+"/") {
		return "", fmt.Errorf("the head has the origin %s", origin)
	}
	if index < 0 || index >= tree.N {
		return "", fmt.Errorf("index %d is not in a log of %d records", index, tree.N)
	}
	return fmt.Sprintf("%s has the record with hash %s at index %d of %d", origin, record.Hash, index, tree.N),
		tlog.CheckRecord(inclusion, tree.N, tree.Hash, index, tlog.RecordHash(entry))
}

// damages returns copies of a proof with another index, another head, and another record.
func damages(proof []byte) [][]byte {
	return [][]byte{
		bytes.Replace(proof, []byte("\nindex "), []byte("\nindex 1"), 1),
		bytes.Replace(proof, []byte("\n\n"), []byte("\n\nx"), 1),
		bytes.Replace(proof, []byte("\nextra "), []byte("\nextra eyJIYXNoIjoiMDAifQ==\nindex 0\n"), 1),
	}
}

// tiles reads the tiles of a log as C2SP tlog-tiles serves them.
type tiles struct {
	url  string
	read map[string][]byte
}

func (t tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, tile := range wanted {
		path := ""
		n := tile.N
		for last := true; last || n > 0; last = false {
			prefix := "x"
			if last {
				prefix = ""
			}
			path = fmt.Sprintf("/%s%03d%s", prefix, n%1000, path)
			n /= 1000
		}
		if tile.W < 256 {
			path += fmt.Sprintf(".p/%d", tile.W)
		}
		path = fmt.Sprintf("%s/tile/%d%s", t.url, tile.L, path)
		if t.read[path] == nil {
			t.read[path] = get(path)
		}
		read = append(read, t.read[path])
	}
	return read, nil
}

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func get(url string) []byte {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	check(err)
	if token := os.Getenv("PARLEY_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != http.StatusOK {
		fail(fmt.Sprintf("%s: %s: %s", url, response.Status, body))
	}
	return body
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func check(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "verify: "+message)
	os.Exit(1)
}

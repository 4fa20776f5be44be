// Package facts tells how a plug-in was built, from what the Go toolchain keeps in it.
package facts

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Of tells the version of the module of the library, the year of that version, and the build.
func Of(module, released string) [][2]string {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, one := range info.Deps {
			if one.Path == module {
				version = strings.TrimPrefix(one.Version, "v")
			}
		}
	}
	return [][2]string{
		{"version", version},
		{"released", released},
		{"build", module + " of the Go module proxy, " + runtime.Version() + ", c-shared"},
		{"assertions", "off"},
		{"border", "each call of Go from C costs about 90 ns; steps of a scan and writes of a batch share calls"},
	}
}

// Joins our own JavaScript into a few files for the published package, after tsc: to load a file costs half a
// millisecond, and a command needs up to a hundred. Dependencies stay packages of their own.
import { rolldown } from "rolldown"

const bundle = await rolldown({
  input: {
    main: "build/cli/main.js",
    "prepare-worker": "build/proxy/prepare/prepare-worker.js",
    "key-file-worker": "build/proxy/keys/key-file-worker.js",
  },
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith("/"),
})
// A group is loaded whole, with the packages that its files import: keep out what only some of its users need.
await bundle.write({
  dir: "build/bin",
  codeSplitting: {
    groups: [
      {
        name: "start",
        test: /build\/cli\/(failure|git|package-files|locate-flags|diagnostics\/(printable|suggest)|compile\/definition\/file-names)\.js$/,
      },
      {
        name: "compile",
        test: /build\/cli\/(compile|files)\/|build\/cli\/diagnostics\/(?!format-|explanations)/,
      },
      { name: "contract", test: /build\/proxy\/contract\/(?!key|yaml)/ },
      { name: "keys", test: /build\/proxy\/contract\/(key|yaml)/ },
      {
        name: "proxy",
        test: /build\/proxy\/(?!check|observability\/(admin|metrics|health)|snapshots\/(url|origin)|prepare\/prepare-worker|prepare\/low-priority|keys\/key-file-worker)/,
      },
    ],
  },
})

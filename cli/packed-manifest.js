// Writes the package.json that npm packs, in the package's folder: before packing without an argument, after it with
// `restore`. What only a clone needs is left out: npm would warn of `prepare`, and never runs it there. The repository's
// address comes from the package at the top, so that it is written once; npm's provenance compares it.
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"

const kept = "package.json.kept"
if (process.argv[2] === "restore") renameSync(kept, "package.json")
else {
  if (!existsSync(kept)) copyFileSync("package.json", kept) // it exists if the last run was killed
  const { scripts, devDependencies, allowScripts, ...manifest } = JSON.parse(readFileSync(kept, "utf8"))
  const { name, repository } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  const place = manifest.name === name ? {} : { directory: "sdk" }
  const packed =
    repository === undefined ? manifest : { ...manifest, repository: { ...repository, ...place } }
  writeFileSync("package.json", `${JSON.stringify(packed, null, 2)}\n`)
}

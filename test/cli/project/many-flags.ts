import { createRepository, type TestRepository } from "../../repository.ts"

/** A repository with everything that could make a build differ between machines: line ends, letters, folders, times. */
export function manyFlags(): TestRepository {
  const repository = createRepository()
  repository.write("flags/project.yaml", "project: shop\nenvironments: [production, b]\n")
  for (const key of ["a", "B", "ä-file", "z10", "z9", "i"]) {
    const text = `key: ${key.replace("ä", "ae")}\ndescription: |\n  ünder\n  two lines\ndefaultValue: false\n`
    repository.write(`flags/${key < "c" ? "deep/" : ""}${key}.yaml`, text)
    repository.commit(key.charCodeAt(0) * 1_000_000)
  }
  return repository
}

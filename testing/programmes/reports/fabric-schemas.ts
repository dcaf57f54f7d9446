/** Validates the JSON files of a Power BI project by the schemas that Microsoft publishes, from a folder on this machine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

const published = 'https://developer.microsoft.com/json-schemas/'

export interface FabricSchemas {
  /** What is wrong with a file, by the schema that it names itself. */
  validate(file: Readonly<Record<string, unknown>>): Promise<readonly string[]>
}

/** @param folder a copy of https://github.com/microsoft/json-schemas */
export function openFabricSchemas(folder: string): FabricSchemas {
  // Their ids and their references do not agree in every file, so each is known by the address of its file.
  const load = async (address: string): Promise<Record<string, unknown>> => {
    const { $id: _, ...schema } = JSON.parse(
      readFileSync(join(folder, address.slice(published.length)), 'utf8').replace(/^\uFEFF/u, ''),
    ) as Record<string, unknown>
    return { ...schema, $id: address }
  }
  const ajv = new Ajv({ strict: false, allErrors: true, loadSchema: load })
  addFormats.default(ajv)
  return {
    async validate(file) {
      const address = String(file['$schema'])
      if (!address.startsWith(published)) return [`${address} is not an address of Microsoft’s schemas`]
      const check = ajv.getSchema(address) ?? (await ajv.compileAsync(await load(address)))
      if (check(file) === true) return []
      return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    },
  }
}

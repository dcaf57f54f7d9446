/**
 * Which parts of the repository may import which. `architecture.test.ts` enforces the table and tests it with planted
 * imports.
 */
import { dirname, join } from 'node:path'

interface ImportRule {
  /** A folder. A `*` at the end matches each of its folders, none of which may import another. */
  readonly folder: string
  /** Folders and files that the folder's files may import, in addition to the folder itself. */
  readonly mayImport: readonly string[]
  /** Printed when an import is refused: why, or what to do instead. */
  readonly reason: string
}

const enginePorts = ['engine/src/ports', 'engine/src/encoding']
const portal = 'The portal calls the server only by HTTP.'

/** The rule with the longest folder that contains a file applies to it, and of two with the same folder the first. */
export const importRules: readonly ImportRule[] = [
  { folder: 'contract/src', mayImport: [], reason: 'The contract imports no other package.' },
  { folder: 'client/src', mayImport: ['contract/src'], reason: 'The client may import only the contract.' },
  {
    folder: 'engine/src',
    mayImport: [],
    reason: 'The engine imports neither the contract nor the server.',
  },
  { folder: 'engine/src/ports', mayImport: [], reason: 'A port imports none of the code that uses it.' },
  { folder: 'engine/src/encoding', mayImport: ['engine/src/ports'], reason: 'The encoding may import only the ports.' },
  {
    folder: 'engine/src/databases/sql-source',
    mayImport: enginePorts,
    reason:
      'Code that all SQL sources share imports none of the databases. Move differences to its port, or to the database.',
  },
  {
    folder: 'engine/src/databases/sql-target',
    mayImport: enginePorts,
    reason: 'The SQL target imports none of the databases. Move differences to the dialect port.',
  },
  {
    folder: 'engine/src/databases/queries',
    mayImport: enginePorts,
    reason: 'Code that queries of all databases share imports none of the databases.',
  },
  {
    folder: 'engine/src/databases/iceberg',
    mayImport: [...enginePorts, 'engine/src/apis/http', 'engine/src/databases/sql-target'],
    reason:
      'The Iceberg target may import only the ports, the encoding, the SQL target, and the HTTP client, by which it calls catalogs and object storage.',
  },
  {
    folder: 'engine/src/databases/*',
    mayImport: [
      ...enginePorts,
      'engine/src/databases/queries',
      'engine/src/databases/sql-source',
      'engine/src/databases/sql-target',
    ],
    reason:
      'A database may import only the ports, the encoding, the SQL target and the code that SQL sources or queries share.',
  },
  { folder: 'engine/src/apis/http', mayImport: enginePorts, reason: 'The HTTP client imports no API.' },
  {
    folder: 'engine/src/apis/*',
    mayImport: [...enginePorts, 'engine/src/apis/http', 'engine/src/apis/described'],
    reason:
      'An API may import only the ports, the encoding, the HTTP client that all APIs share, and the engine of descriptions.',
  },
  {
    folder: 'engine/src/closed-periods',
    mayImport: ['engine/src/ports'],
    reason: 'Closed periods import only the ports, like every comparison of a run.',
  },
  {
    folder: 'engine/src/sync',
    mayImport: [...enginePorts, 'engine/src/closed-periods'],
    reason: 'The sync loop imports no connector.',
  },
  {
    folder: 'engine/src/table-rules',
    mayImport: enginePorts,
    reason: 'Rules of tables import no connector: they have the same meaning for every source.',
  },
  {
    folder: 'engine/src/companies',
    mayImport: enginePorts,
    reason: 'What combines companies knows the ports and the encoding, and no source.',
  },
  {
    folder: 'engine/src/verify',
    mayImport: [...enginePorts, 'engine/src/sync'],
    reason: 'Verification imports no connector. Move differences to the port of verified tables.',
  },
  {
    folder: 'server/src',
    mayImport: ['contract/src', 'engine/src'],
    reason: 'The server imports no pages and no simulators.',
  },
  {
    folder: 'server/src/trial',
    mayImport: ['contract/src', 'engine/src', 'sims/src', 'server/src'],
    reason: 'The trial runs the server with simulated sources.',
  },
  {
    folder: 'server/src/kernel',
    mayImport: ['contract/src', 'engine/src'],
    reason: 'The kernel is the lowest layer of the server.',
  },
  {
    folder: 'server/src/security',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel'],
    reason: 'Security may import only the kernel.',
  },
  {
    folder: 'server/src/identity',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel', 'server/src/security'],
    reason: 'Identity may import only kernel and security.',
  },
  {
    folder: 'server/src/connections',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel', 'server/src/security'],
    reason: 'Connections may import only kernel and security.',
  },
  {
    folder: 'server/src/planning',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel', 'server/src/security', 'server/src/connections'],
    reason: 'Planning may import only connections, kernel and security.',
  },
  {
    folder: 'server/src/access',
    mayImport: [
      'contract/src',
      'engine/src',
      'server/src/kernel',
      'server/src/security',
      'server/src/identity',
      'server/src/connections',
      'server/src/planning',
    ],
    reason: 'Access may import every layer below features except messaging.',
  },
  {
    folder: 'server/src/messaging',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel', 'server/src/security'],
    reason: 'Messaging may import only kernel and security.',
  },
  {
    folder: 'server/src/features/*',
    mayImport: [
      'contract/src',
      'engine/src',
      'server/src/kernel',
      'server/src/security',
      'server/src/identity',
      'server/src/connections',
      'server/src/planning',
      'server/src/access',
      'server/src/messaging',
      'server/src/app-services.ts',
    ],
    reason: 'Features do not import each other. Move a rule that they share to a lower layer.',
  },
  { folder: 'web/src', mayImport: ['contract/src', 'client/src'], reason: portal },
  {
    folder: 'web/src/api',
    mayImport: ['contract/src', 'client/src', 'web/src/paths.ts'],
    reason: `Calls and queries are below features and import no component. ${portal}`,
  },
  {
    folder: 'web/src/ui',
    mayImport: ['contract/src/limits.ts', 'contract/src/time-zone-name.ts', 'web/src/api/load-chunk.ts'],
    reason: `Shared components are below features. They have no business terms and make no call; business components that several features use belong in domain. ${portal}`,
  },
  {
    folder: 'web/src/domain',
    mayImport: ['contract/src', 'client/src', 'web/src/api', 'web/src/ui', 'web/src/paths.ts'],
    reason: `Code that several features share is below features. ${portal}`,
  },
  {
    folder: 'web/src/features/*',
    mayImport: ['contract/src', 'client/src', 'web/src/api', 'web/src/ui', 'web/src/domain', 'web/src/paths.ts'],
    reason: `Pages do not import each other. Move code that two share to domain. The app imports features, not the other way round. ${portal}`,
  },
  {
    folder: 'addin/src',
    mayImport: ['contract/src', 'client/src'],
    reason: 'The task pane calls the server only by HTTP.',
  },
  { folder: 'sims/src', mayImport: [], reason: 'A simulator imports nothing of the product.' },
]

const packageSpecifier = /^@tributary\/(contract|client|engine|server|sims|web|testing)\/(.+)$/
const specifiers = /\b(?:from\s*|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g

/**
 * Returns a line for each import in `text`, the content of `file`, that the table does not allow. Tests may import
 * anything.
 */
export function findForbiddenImports(file: string, text: string): string[] {
  const rule = findRule(file)
  if (rule === undefined || /\.test\.tsx?$/.test(file)) return []
  return [...text.matchAll(specifiers)].flatMap(([, specifier = '']) => {
    const imported = resolveImport(file, specifier)
    if (imported === undefined || isAllowed(rule, imported)) return []
    const reason = isWithin(imported, 'testing') ? 'Only tests may import test code.' : rule.reason
    return [`${file} imports ${imported}. ${reason}`]
  })
}

function isAllowed({ folder, mayImport }: ImportRule, imported: string): boolean {
  return isWithin(imported, folder) || mayImport.some((allowed) => isWithin(imported, allowed))
}

/** The path of an imported file of this repository, relative to the root; undefined for an npm package. */
function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  const [, name = '', path = ''] = packageSpecifier.exec(specifier) ?? []
  if (name === '') return undefined
  return name === 'testing' ? join(name, path) : join(name, 'src', `${path}.ts`)
}

/** The rule of a file, with `*` replaced by the folder that contains the file. */
function findRule(file: string): ImportRule | undefined {
  const found = importRules
    .map((rule) => ({ ...rule, folder: resolveFolder(rule.folder, file) }))
    .filter(({ folder }) => folder !== undefined && isWithin(file, folder))
  return found.toSorted((a, b) => (b.folder?.length ?? 0) - (a.folder?.length ?? 0))[0] as ImportRule | undefined
}

function resolveFolder(folder: string, file: string): string | undefined {
  if (!folder.endsWith('/*')) return folder
  const parent = folder.slice(0, -1)
  const [child, rest] = file.startsWith(parent) ? file.slice(parent.length).split('/') : []
  return rest === undefined ? undefined : `${parent}${child}`
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`)
}

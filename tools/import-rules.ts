/** Which part of the repository may import which. The table is the rule; `architecture.test.ts` proves that it bites. */
import { dirname, join } from 'node:path'

interface Room {
  /** A folder. `*` at its end stands for each of its folders: none of them may import another. */
  readonly folder: string
  /** Folders and files that its files may import from, besides what lies in the folder itself. */
  readonly mayImport: readonly string[]
  /** What to do instead, for the person whose import is refused. */
  readonly reason: string
}

const shared = ['engine/src/ports', 'engine/src/encoding']
const portal = 'The portal speaks to the server only by HTTP.'

/** The longest folder that holds a file decides. */
export const rooms: readonly Room[] = [
  { folder: 'contract/src', mayImport: [], reason: 'The contract stands alone.' },
  { folder: 'client/src', mayImport: ['contract/src'], reason: 'The client knows only the contract.' },
  {
    folder: 'engine/src',
    mayImport: [],
    reason: 'The engine knows neither the contract nor the server.',
  },
  { folder: 'engine/src/ports', mayImport: [], reason: 'A port knows nobody who uses it.' },
  { folder: 'engine/src/encoding', mayImport: ['engine/src/ports'], reason: 'The encoding knows only the ports.' },
  {
    folder: 'engine/src/databases/sql-source',
    mayImport: shared,
    reason:
      'What all SQL sources share knows none of the databases: what differs belongs to its port, or to the database.',
  },
  {
    folder: 'engine/src/databases/sql-target',
    mayImport: shared,
    reason: 'The SQL target knows none of the databases: what differs belongs to the dialect port.',
  },
  {
    folder: 'engine/src/databases/*',
    mayImport: [...shared, 'engine/src/databases/sql-source', 'engine/src/databases/sql-target'],
    reason: 'A database knows only the ports, the encoding, the SQL target and what SQL sources share.',
  },
  { folder: 'engine/src/apis/http', mayImport: shared, reason: 'The HTTP client knows no API.' },
  {
    folder: 'engine/src/apis/*',
    mayImport: [...shared, 'engine/src/apis/http'],
    reason: 'An API knows only the ports, the encoding and the HTTP client that all APIs share.',
  },
  { folder: 'engine/src/sync', mayImport: shared, reason: 'The sync loop knows no connector.' },
  {
    folder: 'server/src',
    mayImport: ['contract/src', 'engine/src'],
    reason: 'The server knows no pages and no simulators.',
  },
  {
    folder: 'server/src/trial',
    mayImport: ['contract/src', 'engine/src', 'sims/src', 'server/src'],
    reason: 'The trial runs the server with simulated sources.',
  },
  {
    folder: 'server/src/kernel',
    mayImport: ['contract/src', 'engine/src'],
    reason: 'The kernel lies below every room.',
  },
  {
    folder: 'server/src/security',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel'],
    reason: 'Security knows only the kernel.',
  },
  {
    folder: 'server/src/identity',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel', 'server/src/security'],
    reason: 'Identity knows only kernel and security.',
  },
  {
    folder: 'server/src/connections',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel', 'server/src/security'],
    reason: 'Connections know only kernel and security.',
  },
  {
    folder: 'server/src/planning',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel', 'server/src/security', 'server/src/connections'],
    reason: 'Planning knows connections, kernel and security.',
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
    reason: 'Access knows every room but messaging.',
  },
  {
    folder: 'server/src/messaging',
    mayImport: ['contract/src', 'engine/src', 'server/src/kernel', 'server/src/security'],
    reason: 'Messaging knows only kernel and security.',
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
    reason: 'Features meet in the database, or the rule that they share moves down.',
  },
  { folder: 'web/src', mayImport: ['contract/src', 'client/src'], reason: portal },
  {
    folder: 'web/src/api',
    mayImport: ['contract/src', 'client/src', 'web/src/paths.ts'],
    reason: `Calls and queries lie below features and know no component. ${portal}`,
  },
  {
    folder: 'web/src/ui',
    mayImport: ['contract/src/limits.ts', 'web/src/api/load-chunk.ts'],
    reason: `Shared code lies below features. It has no business words and makes no call; business components that several features use live in domain. ${portal}`,
  },
  {
    folder: 'web/src/domain',
    mayImport: ['contract/src', 'client/src', 'web/src/api', 'web/src/ui', 'web/src/paths.ts'],
    reason: `What several features share lies below features. ${portal}`,
  },
  {
    folder: 'web/src/features/*',
    mayImport: ['contract/src', 'client/src', 'web/src/api', 'web/src/ui', 'web/src/domain', 'web/src/paths.ts'],
    reason: `Pages do not import each other; code that two share moves to domain. The app imports features, not the other way round. ${portal}`,
  },
  {
    folder: 'addin/src',
    mayImport: ['contract/src', 'client/src'],
    reason: 'The task pane speaks to the server only by HTTP.',
  },
  { folder: 'sims/src', mayImport: [], reason: 'A simulator knows the outside world, not the product.' },
]

const packages = /^@tributary\/(contract|client|engine|server|sims|web|testing)\/(.+)$/
const specifiers = /\b(?:from\s*|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g

/** A line for each import in `text`, the content of `file`, that the table does not allow. Tests may import anything. */
export function forbiddenImports(file: string, text: string): string[] {
  const room = roomOf(file)
  if (room === undefined || /\.test\.tsx?$/.test(file)) return []
  return [...text.matchAll(specifiers)].flatMap(([, specifier = '']) => {
    const imported = pathOf(file, specifier)
    if (imported === undefined || isAllowed(room, imported)) return []
    const reason = isWithin(imported, 'testing') ? 'Only tests import what serves tests.' : room.reason
    return [`${file} imports ${imported}. ${reason}`]
  })
}

function isAllowed({ folder, mayImport }: Room, imported: string): boolean {
  return isWithin(imported, folder) || mayImport.some((allowed) => isWithin(imported, allowed))
}

/** The path of an imported file of ours, below the root; undefined for a package of others. */
function pathOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  const [, name = '', path = ''] = packages.exec(specifier) ?? []
  if (name === '') return undefined
  return name === 'testing' ? join(name, path) : join(name, 'src', `${path}.ts`)
}

/** The room of a file, with `*` replaced by the folder that the file is in. */
function roomOf(file: string): Room | undefined {
  const found = rooms
    .map((room) => ({ ...room, folder: folderFor(room.folder, file) }))
    .filter(({ folder }) => folder !== undefined && isWithin(file, folder))
  return found.toSorted((a, b) => (b.folder?.length ?? 0) - (a.folder?.length ?? 0))[0] as Room | undefined
}

function folderFor(folder: string, file: string): string | undefined {
  if (!folder.endsWith('/*')) return folder
  const parent = folder.slice(0, -1)
  const [child, rest] = file.startsWith(parent) ? file.slice(parent.length).split('/') : []
  return rest === undefined ? undefined : `${parent}${child}`
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`)
}

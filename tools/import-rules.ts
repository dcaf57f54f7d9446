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
    reason: 'What all SQL databases share knows none of them.',
  },
  {
    folder: 'engine/src/databases/sql-target',
    mayImport: shared,
    reason: 'What all SQL databases share knows none of them.',
  },
  {
    folder: 'engine/src/databases/*',
    mayImport: [...shared, 'engine/src/databases/sql-source', 'engine/src/databases/sql-target'],
    reason: 'A database knows only the ports, the encoding and what all SQL databases share.',
  },
  { folder: 'engine/src/apis/http', mayImport: shared, reason: 'The HTTP client knows no API.' },
  {
    folder: 'engine/src/apis/*',
    mayImport: [...shared, 'engine/src/apis/http'],
    reason: 'An API knows only the ports, the encoding and the HTTP client that all APIs share.',
  },
  { folder: 'engine/src/sync', mayImport: shared, reason: 'The sync loop knows no connector.' },
  { folder: 'server/src', mayImport: ['contract/src', 'engine/src', 'sims/src'], reason: 'The server knows no pages.' },
  {
    folder: 'server/src/platform',
    mayImport: ['contract/src', 'engine/src', 'server/src/config.ts', 'server/src/configuration'],
    reason: 'The platform lies below features.',
  },
  {
    folder: 'server/src/features/*',
    mayImport: [
      'contract/src',
      'engine/src',
      'server/src/config.ts',
      'server/src/configuration',
      'server/src/platform',
    ],
    reason: 'Features meet in the database, or the rule that they share moves down.',
  },
  { folder: 'web/src', mayImport: ['contract/src'], reason: portal },
  {
    folder: 'web/src/api',
    mayImport: ['contract/src', 'web/src/paths.ts', 'web/src/ui/announce.tsx'],
    reason: `Shared code lies below features. ${portal}`,
  },
  {
    folder: 'web/src/ui',
    mayImport: ['contract/src', 'web/src/api', 'web/src/paths.ts'],
    reason: `Shared code lies below features. ${portal}`,
  },
  {
    folder: 'web/src/features/*',
    mayImport: ['contract/src', 'web/src/api', 'web/src/ui', 'web/src/paths.ts'],
    reason: `Pages do not import each other; code that two share moves to ui. The app imports features, not the other way round. ${portal}`,
  },
  { folder: 'addin/src', mayImport: ['contract/src'], reason: 'The task pane speaks to the server only by HTTP.' },
  { folder: 'sims/src', mayImport: [], reason: 'A simulator knows the outside world, not the product.' },
]

const packages = /^@tributary\/(contract|engine|server|sims|web)\/(.+)$/
const specifiers = /\b(?:from\s*|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g

/** A line for each import in `text`, the content of `file`, that the table does not allow. Tests and what they use may import anything. */
export function forbiddenImports(file: string, text: string): string[] {
  const room = roomOf(file)
  if (room === undefined || /\.test\.tsx?$|\/testing\//.test(file)) return []
  return [...text.matchAll(specifiers)].flatMap(([, specifier = '']) => {
    const imported = pathOf(file, specifier)
    if (imported === undefined || isAllowed(room, imported)) return []
    return [`${file} imports ${imported}. ${room.reason}`]
  })
}

function isAllowed({ folder, mayImport }: Room, imported: string): boolean {
  if (/\/testing\//.test(imported)) return false
  return isWithin(imported, folder) || mayImport.some((allowed) => isWithin(imported, allowed))
}

/** The path of an imported file of ours, below the root; undefined for a package of others. */
function pathOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  const [, name = '', path = ''] = packages.exec(specifier) ?? []
  return name === '' ? undefined : join(name, 'src', `${path}.ts`)
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

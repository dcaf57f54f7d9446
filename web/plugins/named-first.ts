import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { firstCalls } from './first-calls.ts'

const web = resolve(import.meta.dirname, '..')
/** Modules below `web/` that each signed-in route is made of; `page-modules.test.ts` keeps it in step with the router. */
const pageModules = join(web, 'src/app/page-modules.json')

/**
 * Names what a page would ask for only when it has read another file. In the page itself: the font, which the style sheet names, and
 * what draws. To `first-paint.js`, which knows whether somebody is signed in: what every signed-in page shares, as `*`, and what the
 * page of each route has for itself, files and first calls.
 */
export function namedFirst(): Plugin {
  return {
    name: 'named-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return []
        const [font, drawing] = [named(bundle, /geist-latin-wght.*\.woff2$/), named(bundle, /\/react-dom-.*\.js$/)]
        const tag = (href: string, attrs: Record<string, string>) => ({
          tag: 'link',
          attrs: { ...attrs, crossorigin: '', href },
          injectTo: 'head' as const,
        })
        const data = `data-files='${attribute(filesOf(bundle))}' data-calls='${attribute(firstCalls)}'`
        return {
          html: html.replace('<script src="/first-paint.js"', `<script src="/first-paint.js" ${data}`),
          tags: [
            ...drawing.map((href) => tag(href, { rel: 'modulepreload' })),
            ...font.map((href) => tag(href, { rel: 'preload', as: 'font', type: 'font/woff2' })),
          ],
        }
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

/** By the pattern of the route. */
function filesOf(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const shared = named(bundle, /\/signed-in-.*\.(?:js|css)$/)
  const known = new Set([...shared, ...named(bundle, /\/(?:index|react-dom)-.*\.(?:js|css)$/)])
  const routes = JSON.parse(readFileSync(pageModules, 'utf8')) as Record<string, string[]>
  const own = Object.entries(routes).map(([route, modules]): [string, string[]] => {
    const files = new Set(modules.flatMap((module) => loadedWith(bundle, chunkOf(bundle, join(web, module)))))
    return [route, [...files].filter((file) => !known.has(file))]
  })
  return Object.fromEntries([['*', shared], ...own.filter(([, files]) => files.length > 0)])
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

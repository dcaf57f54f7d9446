import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { precompress } from '../tools/precompress.ts'

const api = process.env['TRIBUTARY_API'] ?? 'http://127.0.0.1:3000'

/**
 * Home should be there after few requests, and sign-in should carry nothing of the rest: one file holds what the entry needs,
 * sign-in included, one what draws, one what all signed-in pages share, home included. Every other page's own code stays in a chunk
 * of its own.
 */
const chunkGroups = [
  { name: 'index', priority: 2, tags: ['$initial' as const] },
  { name: 'react-dom', priority: 1, test: /node_modules\/(?:react-dom|scheduler)\// },
  {
    name: 'signed-in',
    priority: 1,
    test: /node_modules\/(?:@mantine|@floating-ui|@tabler|@tanstack)\/|web\/src\/(?:api|ui|app\/shell|features\/home)\//,
  },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preload(), compileHint(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What a page may weigh is measured by bench/portal-bundle.mjs, as it travels.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { port: 5173, proxy: { '/api': { target: api } } },
})

/**
 * Files that a page would ask for only when it has read another one: the font, after the style sheet; what draws, and what every
 * signed-in page shares, after the entry. The latter are named to `first-paint.js`, which knows whether somebody is signed in.
 */
function preload(): Plugin {
  return {
    name: 'preload',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return []
        const named = (pattern: RegExp) =>
          Object.keys(bundle)
            .filter((name) => pattern.test(name))
            .map((name) => `/${name}`)
        const shared = named(/\/signed-in-.*\.(?:js|css)$/)
        const [font, drawing] = [named(/geist-latin-wght.*\.woff2$/), named(/\/react-dom-.*\.js$/)]
        const tag = (href: string, attrs: Record<string, string>) => ({
          tag: 'link',
          attrs: { ...attrs, crossorigin: '', href },
          injectTo: 'head' as const,
        })
        return {
          html: html.replace('<script src="/first-paint.js"', `<script src="/first-paint.js" data-signed-in="${shared.join(' ')}"`),
          tags: [
            ...drawing.map((href) => tag(href, { rel: 'modulepreload' })),
            ...font.map((href) => tag(href, { rel: 'preload', as: 'font', type: 'font/woff2' })),
          ],
        }
      },
    },
  }
}

/**
 * Tells V8 to compile a file's functions while it arrives, beside the page, instead of each when it is first called, in its way:
 * https://v8.dev/blog/explicit-compile-hints. Other browsers see a comment. It must be the file's first line, so Vite's own come after.
 */
function compileHint(): Plugin {
  return {
    name: 'compile-hint',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      },
    },
  }
}

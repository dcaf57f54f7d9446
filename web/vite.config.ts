import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from '../tools/precompress.ts'
import { commonPasswordsModule } from './plugins/common-passwords.ts'
import { compileHint } from './plugins/compile-hint.ts'
import { namedFirst } from './plugins/named-first.ts'
import { trimFont } from './plugins/trim-font.ts'

const api = process.env['TRIBUTARY_API'] ?? 'http://127.0.0.1:3000'

/**
 * Home should be there after few requests, and neither sign-in nor home should carry anything of the rest; every file that a page waits
 * for costs a slow line more than its bytes. Each takes what it needs with all that this imports, in this order: the entry, sign-in
 * included; what draws; registration; the shell and home, and all styles but
 * sign-in's; what several pages share, but for what only dialogs, menus and hints have, which no page waits for, and what is large and of
 * two pages; the editor of links; the lists of Excel; what dialogs share; the dialogs of Excel. Everything else stays in files of its own.
 */
const chunkGroups = [
  { name: 'index', tags: ['$initial' as const] },
  { name: 'react-dom', test: /node_modules\/(?:react-dom|scheduler)\// },
  { name: 'registration', test: /web\/src\/features\/(?:sign-up\/|reset-password\/set-password-page)/ },
  { name: 'signed-in', test: /web\/src\/(?:app\/shell\/(?!proof-dialog)|features\/home\/)|\.css$/ },
  {
    name: 'shared',
    minShareCount: 2,
    test: /node_modules\/(?!@floating-ui|.*\/(?:ScrollArea|Textarea|Switch|Overlay)\/)|client\/src\/|web\/src\/(?:api\/|ui\/(?!forms\/choice-fields|tables\/virtual-table)|domain\/(?!link-editor\/|records\/(?:bulk-|delete-dialog)|databases\/database-)|features\/(?:(?:admin|audit-log|global-configuration|insights|organisations|users|accounting)\/|connectors\/(?!schedule\/)))/,
  },
  { name: 'link-editor', test: /web\/src\/(?:domain\/link-editor\/|api\/queries\/planning-structure)/ },
  { name: 'excel', test: /web\/src\/features\/planning-structure\/(?!.*-dialog)/ },
  {
    name: 'dialogs',
    test: /components\/(?:Textarea|Switch)\/|web\/src\/(?:ui\/forms\/choice-fields|domain\/records\/(?:bulk-|delete-dialog))/,
  },
  { name: 'excel-dialogs', test: /web\/src\/features\/planning-structure\/.*-dialog/ },
].map((group, index, { length }) => ({ ...group, priority: length - index }))

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), commonPasswordsModule(), namedFirst(), compileHint(), trimFont(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What a page may weigh is measured by testing/bench/portal/portal-bundle.mjs, as it travels.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { port: 5173, proxy: { '/api': { target: api } } },
})

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes `.br` and `.gz` next to every text file, because compression at this level takes a second per request. */
export function precompress(): Plugin {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      const texts = names.filter((name) => /\.(html|js|css|svg|txt)$/.test(name)).map((name) => `${folder}/${name}`)
      await Promise.all(
        texts.map(async (path) => {
          const text = await readFile(path)
          await writeFile(`${path}.br`, await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
          await writeFile(`${path}.gz`, await zip(text, { level: 9 }))
        }),
      )
    },
  }
}

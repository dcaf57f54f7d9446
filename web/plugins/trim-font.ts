import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** As `web/src/style/fonts.css` says; the files have weights from 100 to 900. Ids and code are shown in one. */
const text = { wght: { min: 400, max: 700 } }
const mono = { wght: 400 }
/** Kerning, figures of one width, and what places a letter's marks. */
const features = ['kern', 'tnum', 'ccmp', 'locl', 'mark', 'mkmk']

/**
 * The two typefaces with Latin letters: all of these, and of their weights and features those in use. 19 KB instead of 29, 9 instead of 23.
 * Their licence (OFL 1.1) reserves no name, so what is made of them may keep theirs.
 */
export function trimFont(): Plugin {
  return {
    name: 'trim-font',
    apply: 'build',
    async generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !/geist-(?:mono-)?latin-wght-normal-[^/]*\.woff2$/.test(file.fileName)) continue
        const whole = Buffer.from(file.source)
        file.source = await subsetFont(whole, '', {
          targetFormat: 'woff2',
          keepAllGlyphs: true,
          keepFeatures: features,
          variationAxes: file.fileName.includes('geist-mono') ? mono : text,
        })
      }
    },
  }
}

/** The part of the API that `trim-font.ts` uses: https://github.com/papandreou/subset-font#api. The package has no types. */
declare module 'subset-font' {
  interface Options {
    readonly targetFormat: 'sfnt' | 'woff' | 'woff2'
    readonly keepAllGlyphs?: boolean
    readonly keepFeatures?: readonly string[]
    readonly variationAxes?: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>
  }
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>
}

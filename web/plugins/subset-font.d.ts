/** What we use of it: https://github.com/papandreou/subset-font#api. It brings no types of its own. */
declare module 'subset-font' {
  interface Options {
    readonly targetFormat: 'sfnt' | 'woff' | 'woff2'
    readonly keepAllGlyphs?: boolean
    readonly keepFeatures?: readonly string[]
    readonly variationAxes?: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>
  }
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>
}

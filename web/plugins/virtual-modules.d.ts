declare module 'virtual:common-passwords' {
  /** One password a line. */
  export const whole: string
  export const stems: string
}
declare module 'virtual:guides' {
  /** An element: its name, its attributes, its content. */
  export type GuideNode = string | readonly [name: string, attributes: GuideAttributes, ...content: GuideNode[]]
  export type GuideAttributes = Readonly<Record<string, string>>
  export interface GuideSection {
    readonly id: string
    readonly title: string
  }
  interface GuideContent {
    readonly content: readonly GuideNode[]
    /** The addresses of the pictures. In the tree, `src` is an index into them. */
    readonly pictures: readonly string[]
  }
  export interface Guide {
    /** Below docs, without `.md`. */
    readonly path: string
    readonly title: string
    /** A guide of docs/users, and not a document that one links to. */
    readonly isForUsers: boolean
    readonly sections: readonly GuideSection[]
    readonly load: () => Promise<GuideContent>
  }
  export const guides: readonly Guide[]
}

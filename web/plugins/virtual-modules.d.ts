declare module 'virtual:common-passwords' {
  /** One password a line. */
  export const whole: string
  export const stems: string
}
declare module 'virtual:guides' {
  import type { GuideNode, GuideSection } from '../src/features/help/guide-node.ts'

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

import type { Plugin } from 'vite'

/**
 * Tells V8 to compile a file's functions while it arrives, beside the page, instead of each when it is first called, in its way:
 * https://v8.dev/blog/explicit-compile-hints. Other browsers see a comment. It must be the file's first line, so Vite's own come after.
 */
export function compileHint(): Plugin {
  return {
    name: 'compile-hint',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      },
    },
  }
}

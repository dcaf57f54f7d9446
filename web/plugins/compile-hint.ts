import type { Plugin } from 'vite'

/**
 * Makes V8 compile all functions of a file on a background thread while the file downloads, instead of each one on the main thread at its
 * first call: https://v8.dev/blog/explicit-compile-hints. Other browsers see a comment. It must be the first line of the file.
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

/** Programmes about the ways to run Tributary. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bin, environment, root, run } from './process.mjs'
import { must } from './programme-packages.mjs'

export const deploymentProgrammes = {
  helm: {
    what: 'the chart rendered by Helm, and its objects decoded strictly by the types of Kubernetes, KEDA and the Prometheus operator (from Go’s module proxy)',
    run: helm,
  },
}

/** Pinned, as in docs/decisions/0099-scaling-by-waiting-work.md. The other modules are pinned in objects/go.mod. */
const helmModule = 'helm.sh/helm/v4/cmd/helm@v4.3.1'

async function helm() {
  const folder = join(root, 'node_modules', '.cache', 'helm')
  mkdirSync(folder, { recursive: true })
  const program = join(folder, 'helm')
  const decoder = join(folder, 'decode-objects')
  if (!existsSync(program)) {
    console.log('Building Helm (once)…')
    await must('env', [`GOBIN=${folder}`, 'go', 'install', helmModule])
  }
  await must('go', ['build', '-C', join(root, 'testing/programmes/helm/objects'), '-o', decoder, '.'])
  return run(bin('vitest'), ['run', '--reporter=verbose', 'programmes/helm/'], {
    env: environment({ TRIBUTARY_PROGRAMME: 'helm', TRIBUTARY_HELM: program, TRIBUTARY_DECODE_OBJECTS: decoder }),
  })
}

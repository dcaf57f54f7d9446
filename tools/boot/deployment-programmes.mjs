/** Programmes about the ways to run Tributary. */
import { dirname, join } from 'node:path'
import { bin, environment, root, run, userError } from './process.mjs'
import { installFromGo, must } from './programme-packages.mjs'
import { installDebianPackages } from './verify.mjs'

export const deploymentProgrammes = {
  helm: {
    what: 'the chart rendered by Helm, and its objects decoded strictly by the types of Kubernetes, KEDA and the Prometheus operator (from Go’s module proxy)',
    run: helm,
  },
  hosts: {
    what: 'an installation on hosts with an address each, in network namespaces (needs root on Linux), under kills, cuts and wrong clocks for an hour, or TRIBUTARY_HOSTS_MINUTES',
    run: hosts,
  },
}

/** Pinned, as in docs/decisions/0099-scaling-by-waiting-work.md. The other modules are pinned in objects/go.mod. */
const helmModule = 'helm.sh/helm/v4/cmd/helm@v4.3.1'

async function helm() {
  const program = await installFromGo(helmModule, 'helm')
  const decoder = join(dirname(program), 'decode-objects')
  await must('go', ['build', '-C', join(root, 'testing/programmes/helm/objects'), '-o', decoder, '.'])
  return run(bin('vitest'), ['run', '--reporter=verbose', 'programmes/helm/'], {
    env: environment({ TRIBUTARY_PROGRAMME: 'helm', TRIBUTARY_HELM: program, TRIBUTARY_DECODE_OBJECTS: decoder }),
  })
}

const clockLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const hostPackages = [
  { name: 'iproute2', found: ['/usr/sbin/ip', '/sbin/ip'] },
  { name: 'nftables', found: ['/usr/sbin/nft'] },
  { name: 'libfaketime', found: [clockLibrary] },
]

/** In namespaces that end with the programme, so that no packet leaves them, and no process and no network device remains. */
async function hosts() {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw userError('This programme creates network namespaces. Run it as root on Linux.')
  await installDebianPackages(hostPackages)
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const prepare = 'mkdir -p /run/netns && mount -t tmpfs hosts /run/netns && ip link set lo up && exec "$@"'
  const vitest = [bin('vitest'), 'run', '--reporter=verbose', 'programmes/hosts/']
  return run('unshare', [...namespaces, 'sh', '-c', prepare, 'sh', ...vitest], {
    env: environment({ TRIBUTARY_PROGRAMME: 'hosts', TRIBUTARY_FAKETIME: clockLibrary }),
  })
}

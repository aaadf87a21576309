import assert from 'node:assert/strict'
import { grpcClient } from '@postrider/adapters/grpc/client.ts'
import { accountsSpec, quotaSpec, type templatesSpec } from '@postrider/contracts/services.ts'
import type { Fault } from '@postrider/kit/fault.ts'
import { useCluster } from './shared.ts'

// Regression: each service used to accept one shared token for every method, so one stolen token gave every right.
describe('callers of the services of a cluster', () => {
  const system = useCluster()

  const clientOf = <Spec extends typeof quotaSpec | typeof accountsSpec | typeof templatesSpec>(
    spec: Spec,
    service: 'quota' | 'accounts' | 'templates',
    token: string,
  ) => {
    const [member] = system().cluster.of(service)
    return grpcClient({ spec: spec as typeof quotaSpec, address: `127.0.0.1:${member?.port}`, token, name: 'test' })
  }
  const tokenOf = (caller: 'GATEWAY' | 'INTAKE'): string =>
    system().cluster.env[`POSTRIDER_WIRE_TOKEN_${caller}`] ?? assert.fail('the cluster has no token')

  it('have their own tokens, which no other service has', () => {
    assert.notEqual(tokenOf('GATEWAY'), tokenOf('INTAKE'))
    assert.equal(system().cluster.env['POSTRIDER_WIRE_TOKEN'], undefined)
  })

  it('are refused exactly the methods that they do not need', async () => {
    const workspace = 'ws_unknown'
    await using ofIntake = clientOf(quotaSpec, 'quota', tokenOf('INTAKE'))
    await using ofGateway = clientOf(quotaSpec, 'quota', tokenOf('GATEWAY'))
    await using stranger = clientOf(quotaSpec, 'quota', 'a token that is unknown to every service of the cluster')
    assert.ok(await ofGateway.service.GetLimits({ workspace }))
    assert.ok(await ofIntake.service.ListPending({ before: new Date(0).toISOString(), limit: 1 }))
    const refused = (status: string) => (fault: Fault) => {
      assert.equal(fault.code, 'unavailable')
      assert.match(String(fault.cause), new RegExp(status))
      return true
    }
    await assert.rejects(ofIntake.service.GetLimits({ workspace }), refused('PERMISSION_DENIED'))
    await assert.rejects(ofGateway.service.ListPending({ before: '', limit: 1 }), refused('PERMISSION_DENIED'))
    await assert.rejects(stranger.service.GetLimits({ workspace }), refused('UNAUTHENTICATED'))
    assert.deepEqual([await ofIntake.ready(), await ofGateway.ready(), await stranger.ready()], [true, true, false])
  })

  it('are unknown to a service that they never call', async () => {
    await using ofIntake = clientOf(accountsSpec, 'accounts', tokenOf('INTAKE'))
    assert.equal(await ofIntake.ready(), false)
  })
})

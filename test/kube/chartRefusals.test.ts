import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { skipSuiteIf } from './command.ts'
import { renderedText } from './manifests.ts'

/**
 * Values that are refused, and the whole message. Values of one group are given together, and all are reported
 * together.
 */
type Group = { [given: string]: string }

const host = 'config.POSTRIDER_PUBLIC_URL=https://mail.example.com'
const proxies = 'config.POSTRIDER_TRUSTED_PROXIES=10.0.0.0/8'

const many = 'write one address, with ASCII characters before the @ and a domain after it.'
const network = 'write, for example, 10.0.0.0/8, not a name.'
const publicUrl =
  'must be http://host[:port] or https://host[:port], without path, query and login: set it to the URL that users open.'
const scaled = 'autoscaling sets the number of replicas'
const proxyless =
  'puts a proxy before the gateway, and config.POSTRIDER_TRUSTED_PROXIES is empty, so all clients would share one rate limit: set it to the addresses of the proxy, such as the pod network 10.0.0.0/8.'
const elsewhere = 'links and cookies would lead elsewhere; set both to the host that users open.'
const selectors = 'which the chart sets and selects pods by: use another label.'

const groups: Record<string, Group> = {
  'replicas and disruption': {
    'quota.replicas=3': `quota.replicas is 3, but ${scaled}: set quota.autoscaling.minReplicas and maxReplicas, or quota.autoscaling.enabled=false.`,
    'accounts.maxUnavailable=0': 'accounts.maxUnavailable is 0, so no node could ever be drained: set it to 1 or more.',
    'templates.maxUnavailable=0%':
      'templates.maxUnavailable is 0%, so no node could ever be drained: set it to 1 or more.',
    'gateway.maxUnavailable=3':
      'gateway.maxUnavailable is 3, and gateway may have only 2 replicas: set it to less than that.',
    'intake.maxUnavailable=2':
      'intake.maxUnavailable is 2, and intake may have only 2 replicas, so a drain could stop all together: set it to less than that.',
    'dispatcher.maxUnavailable=100%':
      'dispatcher.maxUnavailable is 100%, so a drain could stop all replicas of dispatcher together: set it to less.',
  },
  'replicas of all services': {
    'defaults.replicas=3': `defaults.replicas is 3, but ${scaled} of every service: set defaults.autoscaling.minReplicas and maxReplicas, or defaults.autoscaling.enabled=false.`,
    'defaults.maxUnavailable=150%': 'defaults.maxUnavailable is 150%: set it to at most 100%.',
  },
  'replicas without autoscaling': {
    'dispatcher.keda.enabled=true,dispatcher.replicas=4,defaults.autoscaling.enabled=false': `dispatcher.replicas is 4, but ${scaled}: set dispatcher.autoscaling.minReplicas and maxReplicas, or dispatcher.autoscaling.enabled=false.`,
    'quota.replicas=1,quota.maxUnavailable=2':
      'quota.maxUnavailable is 2, and quota may have only 1 replica: set it to 1.',
  },
  'image and sender': {
    'image.repository=images.example.com/mail/postrider:1.2':
      'image.repository contains a tag: move what follows the last colon to image.tag.',
    'image.tag=1.2@sha256':
      "image.tag is not a tag: write letters, digits, '.', '_' and '-' only; a digest belongs to image.digest.",
    'config.POSTRIDER_SENDER=Example': `config.POSTRIDER_SENDER is not an address such as "Mail <mail@example.com>": ${many}`,
    'intake.config.POSTRIDER_SENDER=jörg@example.com': `intake.config.POSTRIDER_SENDER is not an address such as "Mail <mail@example.com>": ${many}`,
    'dispatcher.config.POSTRIDER_SENDER=mail@10.0.0.1': `dispatcher.config.POSTRIDER_SENDER is not an address such as "Mail <mail@example.com>": ${many}`,
  },
  digest: {
    'image.repository=images.example.com/postrider@sha256':
      'image.repository contains a digest: move what follows the @ to image.digest.',
    'config.POSTRIDER_SENDER=a@b.example\\, c@d.example': `config.POSTRIDER_SENDER is not an address such as "Mail <mail@example.com>": ${many}`,
    'config.POSTRIDER_PUBLIC_URL=https://mail.example.com/app': `config.POSTRIDER_PUBLIC_URL ${publicUrl}`,
  },
  scheme: {
    'image.repository=https://images.example.com/postrider':
      'image.repository must not begin with a scheme: remove it, such as images.example.com/postrider.',
    'config.POSTRIDER_PUBLIC_URL=mail.example.com': `config.POSTRIDER_PUBLIC_URL ${publicUrl}`,
    'config.POSTRIDER_SENDER=Doe\\, Jane <mail@example.com>': `config.POSTRIDER_SENDER is not an address such as "Mail <mail@example.com>": ${many}`,
  },
  'name of the image, budgets': {
    'gateway.resources.limits.memory=384Mi,config.POSTRIDER_BODY_MEMORY_MIB=64':
      'gateway.resources.limits.memory is 384Mi, and the program needs 544Mi for POSTRIDER_BODY_MEMORY_MIB=64: raise the limit, or lower that variable.',
    'intake.resources.limits.memory=192Mi':
      'intake.resources.limits.memory is 192Mi, and the program needs 220Mi for POSTRIDER_MAX_MESSAGE_MIB=10: raise the limit, or lower that variable.',
    'image.repository=images.example.com/Postrider':
      "image.repository is not the name of an image: write lower-case letters, digits, '.', '_' and '-' between the slashes, such as images.example.com/postrider.",
    'gateway.config.POSTRIDER_PUBLIC_URL=https://user:secret@mail.example.com': `gateway.config.POSTRIDER_PUBLIC_URL ${publicUrl}`,
  },
  // These ended a process with exit code 2 after the installation.
  'variables that only a program refused': {
    'config.KAFKA_BROKERS=kafka-0:9092\\,kafka-1':
      'config.KAFKA_BROKERS must contain host:port, comma-separated, and number 2 does not have this form: write, for example, kafka:9092.',
    'config.POSTRIDER_TRUSTED_PROXIES=10.0.0.0/8\\,ingress-nginx': `config.POSTRIDER_TRUSTED_PROXIES must contain addresses or CIDRs, comma-separated, and number 2 is neither: ${network}`,
    'config.POSTRIDER_REFUSED_HEADERS=x-relay-\\,x relay':
      'config.POSTRIDER_REFUSED_HEADERS must contain prefixes of header names, comma-separated, and number 2 is not one: write, for example, x-relay-.',
    'config.POSTRIDER_ROUTE=smtp://relay:25?tls=yes':
      "config.POSTRIDER_ROUTE must be smtp://host:port or smtps://host:port, at most with ?tls=required or ?tls=unverified: correct it; in a login write '@', '/', '#' and '%' as %40, %2F, %23 and %25.",
    'config.POSTRIDER_BODY_MEMORY_MIB=10':
      'config.POSTRIDER_BODY_MEMORY_MIB is 10, but POSTRIDER_MAX_BODY_MIB is 15: set it to 15 or more, or remove it; the chart derives it from the memory limit.',
    'dispatcher.config.POSTRIDER_MESSAGE_MEMORY_MIB=8':
      'dispatcher.config.POSTRIDER_MESSAGE_MEMORY_MIB is 8, but POSTRIDER_MAX_MESSAGE_MIB is 10: set it to 10 or more, or remove it; the chart derives it from the memory limit.',
  },
  'DNS servers and the domain of bounces': {
    'config.POSTRIDER_DNS=10.0.0.53:53\\,10.0.0.54':
      'config.POSTRIDER_DNS must contain host:port, comma-separated, and number 2 does not have this form: write, for example, 10.96.0.10:53.',
    'config.POSTRIDER_BOUNCE_DOMAIN=bounces':
      'config.POSTRIDER_BOUNCE_DOMAIN is not a domain: write, for example, bounces.example.com.',
  },
  'ports of DNS servers': {
    'domains.config.POSTRIDER_DNS=10.0.0.53:53\\,10.0.0.54:5353\\,[fd00::53]:5300': [5353, 5300]
      .map(
        (port) =>
          `domains.config.POSTRIDER_DNS has a server on port ${port}, which networkPolicy.domainChecks.ports does not allow: add the port there.`,
      )
      .join('\n- '),
  },
  'ports of the relay and of webhooks': {
    'config.POSTRIDER_ROUTE=smtp://relay.example.com:2525?tls=required':
      'config.POSTRIDER_ROUTE has a relay on port 2525, which networkPolicy.smtp.ports does not allow: add the port there.',
    'webhooks.config.POSTRIDER_WEBHOOK_PORTS=443\\,8443':
      'webhooks.config.POSTRIDER_WEBHOOK_PORTS has port 8443, which networkPolicy.webhooks.ports does not allow: add the port there.',
  },
  'proxies and a port': {
    'gateway.extraEnv[0].name=POSTRIDER_PUBLIC_URL,gateway.extraEnv[0].value=https://mail.example.com:70000': `gateway.extraEnv[0] ${publicUrl}`,
    'config.POSTRIDER_TRUSTED_PROXIES=10.0.0.0/33\\,::1/129\\,1::2::3\\,300.1.1.1': [1, 2, 3, 4]
      .map(
        (number) =>
          `config.POSTRIDER_TRUSTED_PROXIES must contain addresses or CIDRs, comma-separated, and number ${number} is neither: ${network}`,
      )
      .join('\n- '),
  },
  'the created Secret': {
    'secrets.create=true,secrets.values.POSTRIDER_SECRET=ssssssssssssssssssssssssssssssss,secrets.values.MONGODB_URL=mongodb://u:p#w@m':
      "secrets.values.MONGODB_URL must be mongodb://user:password@host:27017/database: correct it; in user and password write '@', '/', '?', '#' and '%' as %40, %2F, %3F, %23 and %25.",
    'secrets.values.REDIS_URL=redis://:p/w@r':
      "secrets.values.REDIS_URL must be redis://:password@host:6379: correct it; in user and password write '@', '/', '?', '#' and '%' as %40, %2F, %3F, %23 and %25.",
    'secrets.values.POSTRIDER_WIRE_TOKEN=tttttttttttttttttttttttttttttttt\\,short':
      'secrets.values.POSTRIDER_WIRE_TOKEN must contain tokens of 32 characters or more without white space, separated by commas, and number 2 is not one: create one with `openssl rand -hex 32`.',
  },
  'entry and monitoring': {
    [`ingress.enabled=true,ingress.hosts[0]=mail.example.org,${host}`]: `config.POSTRIDER_PUBLIC_URL has the host mail.example.com, but ingress.hosts has mail.example.org: ${elsewhere}`,
    'ingress.tlsSecret=cert,ingress.tls[0].secretName=cert,ingress.tls[0].hosts[0]=other.example.com':
      'ingress.tls and ingress.tlsSecret both set certificates: move the Secret of ingress.tlsSecret to an entry of ingress.tls.\n- ingress.tls[0].hosts has other.example.com, which is not in ingress.hosts: add it there, or remove it here.',
    'monitoring.rules.enabled=true':
      'monitoring.rules.runbooks is empty, so the links of alerts would lead nowhere: set it to the URL at which you publish docs/runbooks, such as https://wiki.example.com/runbooks.',
    'monitoring.serviceMonitor.enabled=true,monitoring.podMonitor.enabled=true':
      'monitoring.serviceMonitor.enabled and monitoring.podMonitor.enabled are both true, so Prometheus would read each pod twice: enable one of them.',
    '': `ingress.enabled ${proxyless}`,
  },
  'Gateway API': {
    [`gatewayApi.enabled=true,gatewayApi.parentRefs[0].name=public,gatewayApi.hostnames[0]=*.example.org,${host}`]: `config.POSTRIDER_PUBLIC_URL has the host mail.example.com, but gatewayApi.hostnames has *.example.org: ${elsewhere}\n- gatewayApi.enabled ${proxyless}`,
  },
  resources: {
    'gateway.resources.limits.memory=128Mi':
      'gateway.resources.limits.memory is 128Mi, and the program needs 250Mi for POSTRIDER_MAX_BODY_MIB=15: raise the limit, or lower that variable.',
    'gateway.resources.requests.memory=192Mi':
      'gateway.resources.limits.memory is 128Mi, below gateway.resources.requests.memory, which is 192Mi: raise the limit or lower the request.',
    'intake.resources.limits.cpu=100m':
      'intake.resources.limits.cpu is 100m, below intake.resources.requests.cpu, which is 250m: raise the limit or lower the request.',
    'quota.resources.requests.memory=1Gi':
      'quota.resources.limits.memory is 512Mi, below quota.resources.requests.memory, which is 1Gi: raise the limit or lower the request.',
    'accounts.resources.requests.memory=160m':
      'accounts.resources.requests.memory is 160m, which is thousandths of a byte: write Mi for mebibytes.',
    'prepare.resources.limits.memory=64Mi':
      'prepare.resources.limits.memory is 64Mi, below prepare.resources.requests.memory, which is 128Mi: raise the limit or lower the request.',
    'templates.resources.limits.memory=150M,templates.resources.requests.memory=100M':
      'templates.resources.limits.memory is 143Mi, and the program needs 160Mi: raise the limit.',
    'dispatcher.resources.limits.memory=320Mi,dispatcher.config.POSTRIDER_MAX_MESSAGE_MIB=40':
      'dispatcher.resources.limits.memory is 320Mi, and the program needs 481Mi for POSTRIDER_MAX_MESSAGE_MIB=40: raise the limit, or lower that variable.',
  },
  'labels, volumes and containers': {
    'commonLabels.app\\.kubernetes\\.io/name=mail': `commonLabels has app.kubernetes.io/name, ${selectors}`,
    'quota.podLabels.app\\.kubernetes\\.io/component=x': `quota.podLabels has app.kubernetes.io/component, ${selectors}`,
    'gateway.extraEnv[0].name=PORT,gateway.extraEnv[0].value=x':
      'gateway.extraEnv[0] sets PORT, which the ports and probes of the chart rely on: remove it.',
    'intake.extraEnv[0].value=x': 'intake.extraEnv[0] has no name: add the name of the variable.',
    'quota.extraVolumes[0].name=tmp': 'quota.extraVolumes[0] has the name tmp, which the chart uses: choose another.',
    'quota.sidecars[0].name=quota': 'quota.sidecars[0] has the name quota, which the chart uses: choose another.',
    'accounts.initContainers[0].name=a,accounts.initContainers[1].name=a':
      'accounts.initContainers[1] has the name a, as an entry before it: choose another.',
    'templates.extraVolumeMounts[0].name=data':
      'templates.extraVolumeMounts[0] mounts the volume data, which does not exist: add it to extraVolumes.',
    'dispatcher.extraVolumeMounts[0].name=tmp,dispatcher.extraVolumeMounts[0].mountPath=/tmp/':
      'dispatcher.extraVolumeMounts[0] has the mountPath /tmp/, where the image or the chart has files: choose another.',
    'gateway.serviceAccountName=mine,gateway.serviceAccountAnnotations.a=b':
      'gateway.serviceAccountName names an existing ServiceAccount, so gateway.serviceAccountAnnotations have no effect: set them on that ServiceAccount, or remove one of the two.',
    'intake.dnsPolicy=None':
      'intake.dnsPolicy is None without intake.dnsConfig.nameservers, so no name would resolve: add a server.',
  },
  // The schema refuses these; helm prints all of its errors too.
  schema: {
    'ingress.hosts[0]=https://mail.example.com':
      "at '/ingress/hosts/0': 'https://mail.example.com' does not match pattern",
    'monitoring.rules.runbooks=docs/runbooks':
      "at '/monitoring/rules/runbooks': 'docs/runbooks' does not match pattern",
    'defaults.resources.limits.memory=1.5.5Gi': "at '/defaults/resources/limits/memory'",
    'tracing.samplerArg=2,tracing.sampler=sometimes': "at '/tracing/sampler': value must be one of 'always_on'",
    'gateway.livenessProbe.httpGet.path=/': "at '/gateway/livenessProbe': additional properties 'httpGet' not allowed",
    'quota.startupProbe.successThreshold=2':
      "at '/quota/startupProbe': additional properties 'successThreshold' not allowed",
    'networkPolicy.dnsPorts[0]=0': "at '/networkPolicy/dnsPorts/0': minimum: got 0, want 1",
    'config.POSTRIDER_MAX_QUEUED=1.5': "at '/config/POSTRIDER_MAX_QUEUED'",
  },
}

describe('refusals of the chart', () => {
  skipSuiteIf(async () => whyNoHelm())

  const base: Record<string, string> = {
    'replicas without autoscaling': 'defaults.autoscaling.enabled=false',
  }

  for (const [name, group] of Object.entries(groups))
    it(`reports each wrong value with its path and what to do: ${name}`, () => {
      const given = [base[name] ?? [], Object.keys(group).filter((one) => one !== '')].flat()
      assert.throws(
        () => renderedText(null, ...given.flatMap((one) => ['--set', one])),
        ({ message }: Error) => {
          for (const [values, wanted] of Object.entries(group))
            assert.ok(message.includes(wanted), `${values}:\n${wanted}\n\nis not in\n\n${message}`)
          assert.doesNotMatch(message, /nil pointer|secret@/)
          return true
        },
      )
    })

  const accepted: Record<string, string[]> = {
    'the forms of addresses, images and replicas': [
      'config.POSTRIDER_TRUSTED_PROXIES=10.0.0.0/8\\,::1\\,fd00::/8',
      'config.POSTRIDER_SENDER="Doe\\, Jane" <jane.doe+mail@bücher.example>',
      'config.POSTRIDER_PUBLIC_URL=https://mail.example.com:8443/',
      'image.repository=images.example.com:5000/mail/postrider,image.tag=v1.2',
      'accounts.maxUnavailable=50%',
      'quota.autoscaling.enabled=false,quota.replicas=3,quota.maxUnavailable=2',
      'intake.autoscaling.enabled=false,defaults.replicas=1',
    ],
    'ports of DNS servers that the network policy allows': [
      'config.POSTRIDER_DNS=10.0.0.53:5353,networkPolicy.domainChecks.ports={53,5353}',
    ],
    'ports of the relay and of webhooks that the network policy allows': [
      'config.POSTRIDER_ROUTE=smtp://relay.example.com:2525,networkPolicy.smtp.ports={2525}',
      'config.POSTRIDER_WEBHOOK_PORTS=443\\,8443,networkPolicy.webhooks.ports={443,8443}',
    ],
    'a relay with a usual port': ['config.POSTRIDER_ROUTE=smtp://[fd00::25]:587?tls=required'],
    'a relay without a port': ['config.POSTRIDER_ROUTE=smtps://relay.example.com/'],
    'a port of webhooks that an own rule allows': [
      'config.POSTRIDER_WEBHOOK_PORTS=443\\,8443,webhooks.extraEgress[0].ports[0].port=8443',
    ],
    'any port of DNS servers without network policies': [
      'config.POSTRIDER_DNS=10.0.0.53:5353,networkPolicy.enabled=false',
    ],
    'a wildcard host of the Ingress': [`ingress.enabled=true,ingress.hosts[0]=*.example.com,${host},${proxies}`],
    'a Gateway that names the hosts itself': [
      `gatewayApi.enabled=true,gatewayApi.parentRefs[0].name=public,${host},${proxies}`,
    ],
    'trusted proxies from a field of the pod, and no memory limit': [
      `ingress.enabled=true,ingress.hosts[0]=mail.example.com,${host}`,
      'gateway.extraEnv[0].name=POSTRIDER_TRUSTED_PROXIES,gateway.extraEnv[0].valueFrom.fieldRef.fieldPath=status.hostIP',
      'defaults.resources.limits=null,gateway.resources.limits=null,config.POSTRIDER_MAX_BODY_MIB=50',
    ],
  }
  for (const [name, given] of Object.entries(accepted))
    it(`accepts ${name}`, () => {
      renderedText(null, ...given.flatMap((one) => ['--set', one]))
    })
})

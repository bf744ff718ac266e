import { getChurch } from '#db/church/operations.ts'
import type { Context } from '../../context.ts'
import { printChurch } from '../../output/church-output.ts'

/** Shows what people recognize the church by. */
export async function run(options: { json?: true }, { call, io }: Context): Promise<void> {
  await printChurch(await getChurch(call), options.json, io)
}

import type { HttpClient } from '../http/http-client.js';

/** All files of a statement, downloaded as a partner. */
export async function downloads(client: HttpClient, id: string) {
  const texts = await Promise.all(
    ['export?format=json', 'export?format=csv', 'proof'].map(async (file) => {
      const answer = await client.get(`/v1/statements/${id}/${file}`);
      if (answer.status !== 200) throw new Error(`${file}: ${answer.status} ${answer.text}`);
      return answer.text;
    }),
  );
  const [json = '', csv = '', proof = ''] = texts;
  return { json, csv, proof };
}

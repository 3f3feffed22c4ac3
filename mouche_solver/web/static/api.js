// The JSON API. Every error has one line.

async function ask(method, path, body) {
  const given = { method, headers: {} };
  if (body !== undefined) {
    given.body = JSON.stringify(body);
    given.headers['content-type'] = 'application/json';
  }
  let answer;
  try { answer = await fetch('/api' + path, given); } catch { throw new Error('The server does not answer; start mouche serve again.'); }
  const kind = answer.headers.get('content-type') || '';
  const found = kind.includes('json') ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Error(found.error || `The server answers ${answer.status}.`);
  return found;
}
export const get = (path) => ask('GET', path);
export const post = (path, body = {}) => ask('POST', path, body);
export const remove = (path) => ask('DELETE', path);

// Start a job and follow it by server-sent events; `told` gets every state.
export async function job(body, told) {
  const begun = await post('/jobs', body);
  return new Promise((resolve, reject) => {
    const source = new EventSource(`/api/jobs/${begun.job}/events`);
    source.onmessage = (event) => {
      const now = JSON.parse(event.data);
      told(now, () => remove(`/jobs/${begun.job}`));
      if (now.state === 'running') return;
      source.close();
      if (now.state === 'done') resolve(now.result);
      else reject(new Error(now.state === 'cancelled' ? 'Cancelled.' : now.error));
    };
    source.onerror = () => { source.close(); reject(new Error('The server does not answer.')); };
  });
}

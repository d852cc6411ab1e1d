# What bash reads in JupyterLab's terminals: what a login shell reads, with the session's programs in front of those of
# the system, whose /etc/profile forgets them. What the user's own files put in front stays there.
_session_path=$PATH
[ -r /etc/profile ] && . /etc/profile
PATH=$_session_path:$PATH
unset _session_path
for _own in ~/.bash_profile ~/.bash_login ~/.profile ~/.bashrc; do
  if [ -r "$_own" ]; then
    . "$_own"
    break
  fi
done
unset _own

//! Starts the language server that is installed as `gcn-lsp`, with the settings that Zed has for it.

use zed_extension_api as zed;

struct GcnLsp;

impl zed::Extension for GcnLsp {
    fn new() -> Self {
        GcnLsp
    }

    fn language_server_command(
        &mut self,
        _id: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command = worktree
            .which("gcn-lsp")
            .ok_or("gcn-lsp is not on the PATH: install it with `uv tool install`")?;
        Ok(zed::Command { command, args: vec!["serve".into()], env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<Option<zed::serde_json::Value>> {
        let settings = zed::settings::LspSettings::for_worktree(id.as_ref(), worktree)?;
        Ok(settings.initialization_options)
    }
}

zed::register_extension!(GcnLsp);
